import { EventsTab } from '@/components/instances/events-tab';

export default function Page() {
  return <EventsTab />;
}
