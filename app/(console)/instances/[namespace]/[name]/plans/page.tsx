import { PlansTab } from '@/components/instances/plans-tab';

export default function Page() {
  return <PlansTab />;
}
