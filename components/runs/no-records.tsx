import { EmptyState } from '@/components/ui/empty-state';

/** Shown on a cluster without the definition of PlanRuns. */
export function NoRecords({ heading = false }: { heading?: boolean }) {
  return (
    <EmptyState heading={heading} title="This cluster keeps no records of runs">
      Plans run all the same. Run <code>bravo init</code>, or start the controller with <code>--install-crds</code>, and
      each run is recorded from then on.
    </EmptyState>
  );
}
