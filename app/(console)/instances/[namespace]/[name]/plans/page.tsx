import { PlansTab } from '@/components/instances/plans-tab';
import { SchedulesCard } from '@/components/schedules/schedules-card';

export default function Page() {
  return (
    <div className="grid gap-4">
      <PlansTab />
      <SchedulesCard />
    </div>
  );
}
