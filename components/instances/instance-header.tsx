'use client';

import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { StarButton } from '@/components/places/star-button';
import { useNoteSeen } from '@/components/places/use-places';
import { PlanSegments } from '@/components/plans/plan-segments';
import { PlanTime } from '@/components/plans/plan-time';
import { useRunHistory } from '@/components/plans/use-run-history';
import { OwnerBadges } from '@/components/resources/ownership/owner-badge';
import { RunStrip } from '@/components/runs/run-strip';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { StatusPill, StatusText } from '@/components/ui/status';
import { StatusIcon } from '@/components/ui/status-icon';
import { Tag } from '@/components/ui/tag';
import { TimeAgo } from '@/components/ui/time-ago';
import { useCalmText } from '@/components/ui/use-calm-text';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { asCancelled, currentStep, type PlanView } from '@/lib/kudo/view/plan-view';
import { resultText } from '@/lib/kudo/view/run-facts';
import { hasAcceptedEdit } from '@/lib/live/unseen-mark';
import { InstanceActions } from './instance-actions';
import { LazyVersionDialog } from './lazy-version-dialog';

/** The top of every page of an Instance: state and reason, version, active plan, actions. */
export function InstanceHeader({ row, deleted }: { row: InstanceRow; deleted: boolean }) {
  const place = {
    href: instancePath(row.namespace, row.name),
    label: row.name,
    note: `Instance in ${row.namespace}`,
  };
  useNoteSeen(place);
  return (
    <PageHeader
      crumbs={[{ label: 'Instances', href: '/instances' }, { label: row.namespace }]}
      title={row.name}
      note={
        <span className="flex flex-wrap items-center gap-2">
          <StatusPill
            status={deleted ? 'deleting' : row.state.key}
            word={deleted ? 'Deleted' : row.state.word}
            reason={deleted ? '' : pillReason(row)}
          />
          <Tag>
            {row.operator} <code>{row.version}</code>
          </Tag>
          <OwnerBadges object={row.instance} />
          {row.newer !== undefined && !deleted && <NewerVersion row={row} version={row.newer.version} />}
        </span>
      }
      actions={
        <>
          <StarButton place={place} />
          <InstanceActions row={row} deleted={deleted} />
        </>
      }
    >
      <PlanLine row={row} deleted={deleted} />
      <Announcement row={row} deleted={deleted} />
    </PageHeader>
  );
}

/** State and step for screen readers: it changes with each step, not with each pod. */
function Announcement({ row, deleted }: { row: InstanceRow; deleted: boolean }) {
  const step = row.active === undefined || row.active.status === 'PENDING' ? '' : `, ${stepCount(row.active)}`;
  const text = useCalmText(`${row.name}: ${deleted ? 'deleted' : `${row.state.word}${step}`}`);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

/** While a plan runs, the line below shows its step instead. */
function pillReason({ state: { key, reason } }: InstanceRow): string {
  return key === 'IN_PROGRESS' || key === 'deleting' ? '' : reason;
}

/** Shows that a newer version of the operator is installed, and opens the dialog for the upgrade. */
function NewerVersion({ row, version }: { row: InstanceRow; version: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="link inline-flex min-h-6 items-center gap-1 font-medium text-accent"
      >
        <ArrowUp size={14} aria-hidden="true" />
        {version} available
      </button>
      <LazyVersionDialog row={row} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

function PlanLine({ row, deleted }: { row: InstanceRow; deleted: boolean }) {
  const shown = row.active ?? row.last;
  const plan = deleted && shown !== undefined ? asCancelled(shown) : shown;
  if (!deleted && row.active === undefined && row.state.key === 'PENDING')
    return <StartingPlan reason={row.state.reason} />;
  if (plan === undefined) return <p className="text-ink-2">No plan has run yet.</p>;
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2"
      data-plan={plan.name}
      data-status={plan.status}
    >
      <Link
        href={instancePath(row.namespace, row.name, 'plans')}
        className="link inline-flex items-center gap-2 text-ink"
      >
        <code>{plan.name}</code>
      </Link>
      <PlanSegments plan={plan} />
      {row.active === undefined || deleted ? (
        <>
          <Result row={row} plan={plan} />
          {plan.updatedAt !== undefined && (
            <span>
              <TimeAgo at={plan.updatedAt} />
            </span>
          )}
        </>
      ) : (
        <span>
          {whereText(plan)}
          <StepTime plan={plan} />
          <PlanTime row={row} plan={plan} />
        </span>
      )}
      {!deleted && row.active !== undefined && hasAcceptedEdit(row.instance) && <QueuedEdit plan={row.active.name} />}
      {!deleted && row.active !== undefined && stallOf(row.instance) !== undefined && <StalledPlan />}
      {!deleted && addsToLine(row, plan) && (
        <span className="line-clamp-2 min-w-0 text-ink-3" title={row.state.detail}>
          {row.state.reason}
        </span>
      )}
      <RunStrip row={row} uid={plan.uid} />
    </div>
  );
}

/** Before a plan starts: not the result of the previous one. */
function StartingPlan({ reason }: { reason: string }) {
  return (
    <p className="flex items-center gap-2 text-ink-2">
      <StatusIcon shape="dotted" />
      {`${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`}
    </p>
  );
}

/** An edit that was accepted while a plan runs; the plan finishes with the parameters that it started with. */
function QueuedEdit({ plan }: { plan: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-wait">
      <StatusIcon shape="hourglass" />
      An edit is queued until plan {plan} ends
    </span>
  );
}

/** How long the current step has been running. */
function StepTime({ plan }: { plan: PlanView }) {
  const step = currentStep(plan)?.step;
  if (step?.status !== 'IN_PROGRESS' || step.startedAt === undefined) return null;
  return (
    <>
      {' · '}
      <TimeAgo at={step.startedAt} suffix="" />
    </>
  );
}

/** The result of the last run and its duration. */
function Result({ row, plan }: { row: InstanceRow; plan: PlanView }) {
  const run = useRunHistory(row).findLast(({ uid }) => uid === plan.uid);
  return <StatusText status={plan.status} word={run?.status === plan.status ? resultText(run) : undefined} />;
}

/** The plan makes no progress; the API accepts an edit or another plan, which replaces it. */
function StalledPlan() {
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-wait">
      <StatusIcon shape="hourglass" />
      Stalled. Fix the cause, or start another plan to replace this one.
    </span>
  );
}

/** False when the pill or the step already shows the reason. */
function addsToLine(row: InstanceRow, plan: PlanView): boolean {
  const { reason } = row.state;
  return reason !== pillReason(row) && !(row.active !== undefined && whereText(plan).endsWith(`: ${reason}`));
}

function whereText(plan: PlanView): string {
  const current = currentStep(plan);
  if (plan.status === 'PENDING' || current === undefined) return `queued, ${plan.totalSteps} steps`;
  return `${stepCount(plan)}: ${current.phase.name} / ${current.step.name}`;
}

function stepCount(plan: PlanView): string {
  return `step ${Math.min(plan.doneSteps + 1, plan.totalSteps)} of ${plan.totalSteps}`;
}
