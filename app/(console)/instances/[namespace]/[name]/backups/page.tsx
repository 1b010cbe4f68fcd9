import { BackupsTab } from '@/components/instances/backups-tab';
import { BackupHealthCard } from '@/components/schedules/backup-health-card';

export default function Page() {
  return (
    <>
      <BackupHealthCard />
      <BackupsTab />
    </>
  );
}
