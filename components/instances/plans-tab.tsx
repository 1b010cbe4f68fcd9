'use client';

import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { ApprovalsCard } from '@/components/access/approval-panel';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { PlanButton } from '@/components/plans/plan-button';
import { PlanSegments } from '@/components/plans/plan-segments';
import { PlanTree } from '@/components/plans/plan-tree';
import { RunGrid } from '@/components/plans/run-grid';
import { stepDetails } from '@/components/plans/step-details';
import { useMissingHistory, useRunHistory } from '@/components/plans/use-run-history';
import { QueueCard } from '@/components/runs/queue-card';
import { RunsCard } from '@/components/runs/runs-card';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { usualPlanTime } from '@/lib/kudo/plan/usual-time';
import { isHoldMessage } from '@/lib/kudo/runs/steering';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planTitleOf, withoutVersion } from '@/lib/kudo/view/plan-availability';
import { type PlanView, plansOf } from '@/lib/kudo/view/plan-view';
import { usualText } from '@/lib/kudo/view/run-facts';
import { runPath } from '@/lib/kudo/view/run-row';

/** All plans with phases and steps, live. The active or last plan is open, the others open on a click. */
export function PlansTab() {
  const { row, deleted } = useInstanceView();
  return row === undefined ? null : <Plans row={row} deleted={deleted} />;
}

function Plans({ row, deleted }: { row: InstanceRow; deleted: boolean }) {
  const history = useRunHistory(row);
  const missing = useMissingHistory(row);
  const runs = useInstanceRuns(row.namespace, row.name, row.instance.metadata.uid);
  const plans = plansOf(row.instance, row.operatorVersionObject, { isDeleted: deleted }).map((plan) =>
    plan.name === row.active?.name && !deleted ? row.active : plan,
  );
  const pathOf = (uid: string) => {
    const found = runs.find(({ run }) => run.spec?.uid === uid);
    return found === undefined ? undefined : runPath(found);
  };
  const focus = row.active?.name ?? row.last?.name;
  if (plans.length === 0) {
    return (
      <section className="card">
        <EmptyState title="The plans are unknown">{withoutVersion(row)} It defines the plans.</EmptyState>
      </section>
    );
  }
  return (
    <div className="grid gap-4">
      <QueueCard row={row} />
      {!deleted && <ApprovalsCard row={row} />}
      {plans.map((plan) => (
        <PlanDetails
          key={plan.name}
          plan={plan}
          title={planTitleOf(row, plan.name)}
          history={history}
          pathOf={pathOf}
          isFocus={plan.name === focus}
        />
      ))}
      <RunsCard rows={runs} instance={row.name} />
      {missing !== undefined && <p className="text-ink-2">{missing}</p>}
    </div>
  );
}

function PlanDetails({
  plan,
  title,
  history,
  pathOf,
  isFocus,
}: {
  plan: PlanView;
  title: string;
  history: readonly RecordedRun[];
  pathOf: (uid: string) => string | undefined;
  isFocus: boolean;
}) {
  const [open, setOpen] = useState(isFocus);
  const runs = history.filter((run) => run.plan === plan.name);
  const usual = usualPlanTime(history, plan.name);
  const id = useId();
  // A plan opens when it starts. No plan closes by itself, so that nothing moves under the pointer.
  useEffect(() => {
    if (isFocus) setOpen(true);
  }, [isFocus]);
  return (
    <section className="card overflow-clip" data-plan={plan.name} data-status={plan.status}>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <h2 className="font-semibold">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="flex min-h-8 items-center gap-2"
          >
            <ChevronRight
              size={15}
              aria-hidden="true"
              className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`}
            />
            {title}
            <code className="font-normal text-ink-3">{plan.name}</code>
          </button>
        </h2>
        <StatusText status={plan.status} />
        <PlanSegments plan={plan} />
        <span className="text-ink-2 text-xs">
          {plan.doneSteps} of {plan.totalSteps} steps
          {plan.status !== 'NEVER_RUN' && plan.updatedAt !== undefined && (
            <>
              {' · '}
              <TimeAgo at={plan.updatedAt} />
            </>
          )}
          {usual !== undefined && ` · ${usualText(usual)}`}
        </span>
        <span className="ms-auto flex items-center gap-1">
          <PlanButton plan={plan.name} size="small" withOptions />
        </span>
      </div>
      {open && (
        <div id={id} className="-mb-px border-t">
          {plan.message !== '' && (
            <p className={`border-b px-4 py-2.5 ${isHoldMessage(plan.message) ? 'text-hold' : 'text-fail'}`}>
              {plan.message}
            </p>
          )}
          <RunGrid plan={plan} runs={runs} pathOf={pathOf} />
          <PlanTree plan={plan} details={stepDetails(plan)} history={runs} />
        </div>
      )}
    </section>
  );
}
