import { ParametersTab } from '@/components/parameters/parameters-tab';

export default function Page() {
  return <ParametersTab />;
}
