'use client';

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { FirstSteps } from '@/components/install/first-steps';
import { InstallInvitation } from '@/components/instances/install-invitation';
import { useDriftCheck } from '@/components/instances/use-drift-check';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { CrdsMissing } from '@/components/operators/crds-missing';
import { PlacesCard } from '@/components/places/places-card';
import { RefusedScope } from '@/components/shell/refused-scope';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { StatusIcon } from '@/components/ui/status-icon';
import { TopicState } from '@/components/ui/topic-state';
import { useNow } from '@/components/ui/use-now';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { hasBackupGoal, withBackupGoals } from '@/lib/kudo/view/backup-marks';
import { MOST_MARKED, withDrift } from '@/lib/kudo/view/drift-marks';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { calmText, type DriftKnowledge, needsAttention, recentPlans, worstFirst } from '@/lib/kudo/view/overview-lists';
import { topics } from '@/lib/live/topic';
import { AttentionList } from './attention-list';
import { BackupsCard } from './backups-card';
import { CapacityCard } from './capacity-card';
import { DayCard } from './day-card';
import { RecentPlans } from './recent-plans';
import { RunningList } from './running-list';
import { Tour } from './tour';

const NO_ROWS: readonly InstanceRow[] = [];

/** Instances that need a person, plans that run and those of the last day, backups, and what the cluster has left. */
export function OverviewPage() {
  const { rows: plain, view, total } = useInstanceRows();
  const isComplete = view.total === undefined && plain.length <= MOST_MARKED;
  const check = useDriftCheck(isComplete ? plain : NO_ROWS);
  const rows = useMemo(() => withDrift(plain, check.marks), [plain, check.marks]);
  const isNew = view.status === 'ready' && view.objects.length === 0;
  const attention = useBackupGoals(rows).filter(needsAttention).sort(worstFirst);
  const running = rows.filter((row) => row.active !== undefined && row.active.status !== 'FATAL_ERROR');
  return (
    <>
      <PageHeader
        title="Overview"
        note={rows.length > 0 && total !== undefined && summaryOf(total, attention.length, running.length)}
        actions={
          <LinkButton href="/install" icon={<Plus size={16} aria-hidden="true" />}>
            Install
          </LinkButton>
        }
      />
      <Tour />
      {view.status === 'missing' ? (
        <>
          <CrdsMissing />
          <FirstSteps />
        </>
      ) : isNew ? (
        <FirstSteps />
      ) : view.status !== 'ready' || rows.length === 0 ? (
        <section className="card overflow-clip">
          <TopicState view={view} what="instances" />
          <RefusedScope view={view} />
          {view.status === 'ready' && <InstallInvitation hidden={view.objects.length} />}
        </section>
      ) : (
        <OverviewCards
          attention={attention}
          running={running}
          rows={rows}
          drift={isComplete ? check.state : 'unknown'}
        />
      )}
    </>
  );
}

/** The rows with the state of those that missed the goal of their backups. Runs are read only where an Instance has a goal. */
function useBackupGoals(rows: readonly InstanceRow[]): readonly InstanceRow[] {
  const { objects, status, total } = useTopicInScope(rows.some(hasBackupGoal) ? topics.planRunRows : undefined);
  const nowMs = useNow(60_000);
  // While only the newest runs are loaded, an older backup is not known.
  const isComplete = status === 'ready' && total === undefined;
  return useMemo(
    () => (isComplete ? withBackupGoals(rows, objects as readonly PlanRun[], nowMs) : rows),
    [isComplete, rows, objects, nowMs],
  );
}

function OverviewCards({
  attention,
  running,
  rows,
  drift,
}: {
  attention: readonly InstanceRow[];
  running: readonly InstanceRow[];
  rows: readonly InstanceRow[];
  drift: DriftKnowledge;
}) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
      <div className="grid gap-4">
        <Card title="Needs attention" action={attention.length > 0 && <span>{attention.length}</span>}>
          {attention.length > 0 ? (
            <AttentionList rows={attention} />
          ) : (
            <p className="flex items-center gap-2 px-4 py-5 text-ink-2">
              <span className={drift === 'checked' ? 'text-ok' : 'text-idle'}>
                <StatusIcon shape={drift === 'checked' ? 'tick' : 'hollow'} />
              </span>
              {calmText(rows, drift)}
            </p>
          )}
        </Card>
        <Card title="Running now" action={running.length > 0 && <span>{running.length}</span>}>
          {running.length > 0 ? (
            <RunningList rows={running} />
          ) : (
            <p className="px-4 py-5 text-ink-2">No plan is running. Start one on the page of an instance.</p>
          )}
        </Card>
        <DayCard />
      </div>
      <div className="grid gap-4">
        <BackupsCard rows={rows} />
        <CapacityCard />
        <Card title="Recent plans">
          <RecentPlans plans={recentPlans(rows)} />
        </Card>
        <PlacesCard />
      </div>
    </div>
  );
}

function summaryOf(all: number, attention: number, running: number): string {
  const parts = [`${all} ${all === 1 ? 'instance' : 'instances'}`];
  if (attention > 0) parts.push(`${attention} ${attention === 1 ? 'needs' : 'need'} attention`);
  if (running > 0) parts.push(`${running} running`);
  return parts.join(' · ');
}
