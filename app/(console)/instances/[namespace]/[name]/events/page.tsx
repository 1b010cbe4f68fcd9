import { InstanceEventsTab } from '@/components/instances/instance-events-tab';

export default function Page() {
  return <InstanceEventsTab />;
}
