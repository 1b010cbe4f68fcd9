import { OverviewTab } from '@/components/instances/overview-tab';

export default function Page() {
  return <OverviewTab />;
}
