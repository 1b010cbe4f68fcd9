'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { LastRunsCard } from '@/components/plans/last-runs-card';
import { DetailsCard } from './details-card';
import { DriftCards } from './drift-cards';
import { GuessableSecretNotice } from './guessable-secret-notice';
import { HealthCard } from './health-card';
import { LastEventsCard } from './last-events-card';
import { DeletedCard, NowCard } from './now-card';
import { PlansCard } from './plans-card';
import { ResourcesCard } from './resources-card';

/** The first tab: the current plan, health checks, drift, plans, resources, runs, details, events. */
export function OverviewTab() {
  const { row, deleted } = useInstanceView();
  if (row === undefined) return null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
      <div className="grid gap-4">
        {!deleted && <GuessableSecretNotice row={row} />}
        {deleted ? <DeletedCard row={row} /> : <NowCard row={row} />}
        {!deleted && <HealthCard row={row} />}
        <DriftCards />
        <PlansCard row={row} />
      </div>
      <div className="grid gap-4">
        <ResourcesCard />
        <LastRunsCard row={row} />
        <DetailsCard row={row} />
        <LastEventsCard />
      </div>
    </div>
  );
}
