'use client';

import Link from 'next/link';
import { LastRunsCard } from '@/components/plans/last-runs-card';
import { PlanTree } from '@/components/plans/plan-tree';
import { stepDetails } from '@/components/plans/step-details';
import { useRunHistory } from '@/components/plans/use-run-history';
import { Card } from '@/components/ui/card';
import { StatusIcon } from '@/components/ui/status-icon';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { DetailsCard } from './details-card';
import { useInstanceView } from './instance-context';
import { instancePath } from './instance-path';
import type { InstanceRow } from './instance-row';
import { LastEventsCard } from './last-events-card';
import { PlansCard } from './plans-card';
import { ResourcesCard } from './resources-card';
import { UpkeepCards } from './upkeep-cards';

/** The first tab: what runs or failed, plans, resources, events, facts. */
export function OverviewTab() {
  const { row, deleted } = useInstanceView();
  if (row === undefined) return null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
      <div className="grid gap-4">
        {deleted ? <GoneCard row={row} /> : <NowCard row={row} />}
        <UpkeepCards />
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

function nowText({ state }: InstanceRow): string {
  if (state.key === 'healthy') return 'No plan runs. Everything it owns is ready.';
  if (state.key === 'drifted') return `No plan runs. Not as the last plan left it: ${state.reason}, named below.`;
  return sentence(state.reason || state.word);
}

/** Begins and ends a reason like a sentence. */
function sentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? '' : '.';
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`;
}

function GoneCard({ row }: { row: InstanceRow }) {
  return (
    <Card title="Now">
      <p className="px-4 py-4">
        {row.name} is gone; nothing runs any more.
        {row.last?.name === CLEANUP_PLAN && row.last.status === 'COMPLETE' && ' Its cleanup plan was done first.'}
      </p>
    </Card>
  );
}

function NowCard({ row }: { row: InstanceRow }) {
  const history = useRunHistory(row);
  const failed = row.state.key === 'FATAL_ERROR' ? row.last : undefined;
  const plan = row.active ?? failed;
  const link = (
    <Link href={instancePath(row.namespace, row.name, 'plans')} className="link">
      All plans
    </Link>
  );
  if (plan !== undefined) {
    const phase = plan.phases.findIndex(({ status }) => status !== 'COMPLETE') + 1;
    return (
      <Card
        title={
          <>
            {row.active === undefined ? 'Failed' : 'Running now'}: <code>{plan.name}</code>
          </>
        }
        note={phase > 0 && `phase ${phase} of ${plan.phases.length}${plan.serial ? ', in order' : ''}`}
        action={link}
      >
        {plan.message !== '' && <p className="border-b px-4 py-2.5 text-fail">{plan.message}</p>}
        <div className="-mb-px">
          <PlanTree plan={plan} details={stepDetails(plan)} history={history} />
        </div>
      </Card>
    );
  }
  const isHealthy = row.state.key === 'healthy';
  const shape = isHealthy ? 'tick' : row.state.key === 'drifted' ? 'diamond' : 'hourglass';
  return (
    <Card title="Now" action={link}>
      <p className="flex items-start gap-2 px-4 py-4">
        <span className={isHealthy ? 'mt-0.5 text-ok' : 'mt-0.5 text-wait'}>
          <StatusIcon shape={shape} />
        </span>
        <span>{nowText(row)}</span>
      </p>
    </Card>
  );
}
