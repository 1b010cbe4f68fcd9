import { EmptyState } from '@/components/ui/empty-state';

/** Shown on a cluster without the definition of PlanSchedules. */
export function NoScheduleDefinition({ heading = false }: { heading?: boolean }) {
  return (
    <EmptyState heading={heading} title="This cluster has no schedules">
      Run <code>bravo init</code>, or start the controller with <code>--install-crds</code>, and plans can start at set
      times.
    </EmptyState>
  );
}
