import { BackupsTab } from '@/components/instances/backups-tab';

export default function Page() {
  return <BackupsTab />;
}
