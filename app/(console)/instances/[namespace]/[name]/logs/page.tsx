import { LogsTab } from '@/components/instances/logs-tab';

export default function Page() {
  return <LogsTab />;
}
