'use client';

import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { LazyExplainedProblem } from '@/components/plans/lazy-explained-problem';
import { PlanButton } from '@/components/plans/plan-button';
import { PlanTree } from '@/components/plans/plan-tree';
import { stepDetails } from '@/components/plans/step-details';
import { useExplanation } from '@/components/plans/use-explanation';
import { useRunHistory } from '@/components/plans/use-run-history';
import { Card } from '@/components/ui/card';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { StatusIcon } from '@/components/ui/status-icon';
import { toneText } from '@/components/ui/tones';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import { isHoldMessage } from '@/lib/kudo/runs/steering';
import { diagnosisOf } from '@/lib/kudo/view/diagnosis';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { PlanView } from '@/lib/kudo/view/plan-view';
import { statusWords } from '@/lib/kudo/view/status-words';
import { unreadableText } from '@/lib/kudo/view/unreadable';

/** The plan that runs or failed, step by step; else the state of the Instance in a sentence. */
export function NowCard({ row }: { row: InstanceRow }) {
  const failed = row.state.key === 'FATAL_ERROR' ? row.last : undefined;
  const plan = row.active ?? failed;
  return plan === undefined ? <IdleCard row={row} /> : <PlanCard row={row} plan={plan} />;
}

function PlanCard({ row, plan }: { row: InstanceRow; plan: PlanView }) {
  const history = useRunHistory(row);
  const phase = plan.phases.findIndex(({ status }) => status !== 'COMPLETE') + 1;
  return (
    <Card
      title={
        <>
          {row.active === undefined ? 'Failed' : 'Running now'}: <code>{plan.name}</code>
        </>
      }
      note={phase > 0 && `phase ${phase} of ${plan.phases.length}${plan.serial ? ', in order' : ''}`}
      action={<AllPlans row={row} />}
    >
      {plan.message !== '' && (
        <p className={`border-b px-4 py-2.5 ${isHoldMessage(plan.message) ? 'text-hold' : 'text-fail'}`}>
          {plan.message}
        </p>
      )}
      <HeldDeletionNote row={row} />
      <div className="-mb-px">
        <PlanTree plan={plan} details={stepDetails(plan)} history={history} />
      </div>
    </Card>
  );
}

/** Why the Instance still exists, and the button that lets its deletion go on. */
function HeldDeletionNote({ row }: { row: InstanceRow }) {
  const held = heldDeletion(row.instance);
  if (held === undefined) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5">
      <p>{held.message}</p>
      <PlanButton plan={CLEANUP_PLAN} size="small" />
    </div>
  );
}

function IdleCard({ row }: { row: InstanceRow }) {
  const isHealthy = row.state.key === 'healthy';
  const isNotReady = row.state.key === 'unhealthy' && !row.isVersionMissing;
  const evidence = useExplanation(isNotReady ? { version: row.state.detail } : undefined);
  const { data: owned } = useOwnedObjects();
  const isUnread = isHealthy && owned !== undefined && owned.objects.length === 0 && owned.unreadable.length > 0;
  const { tone, shape } = statusWords[row.state.key];
  return (
    <Card title="Now" action={<AllPlans row={row} />}>
      <div className="grid gap-3 px-4 py-4">
        <p className="flex items-start gap-2">
          <span className={classNames('mt-0.5', toneText[tone])}>
            <StatusIcon shape={shape} />
          </span>
          <span>{isUnread ? UNREAD : idleText(row)}</span>
        </p>
        {isUnread && <p className="text-wait">{unreadableText(owned.unreadable, row.namespace)}</p>}
        {evidence !== undefined && diagnosisOf(evidence) !== undefined && (
          <div className="text-xs">
            <LazyExplainedProblem evidence={evidence} />
          </div>
        )}
      </div>
    </Card>
  );
}

/** After the Instance was deleted, while its page is still open. */
export function DeletedCard({ row }: { row: InstanceRow }) {
  return (
    <Card title="Now">
      <p className="px-4 py-4">
        Instance {row.name} was deleted.
        {row.last?.name === CLEANUP_PLAN && row.last.status === 'COMPLETE' && ' Its cleanup plan ran before.'}
      </p>
    </Card>
  );
}

function AllPlans({ row }: { row: InstanceRow }) {
  return (
    <Link href={instancePath(row.namespace, row.name, 'plans')} className="link">
      All plans
    </Link>
  );
}

const UNREAD =
  'No plan is running. The controller reports that the instance is ready, but its objects cannot be read here.';

function idleText({ state }: InstanceRow): string {
  if (state.key === 'healthy') return 'No plan is running. All objects of this instance are ready.';
  if (state.key === 'drifted') return `No plan is running. ${driftedText(state.reason)}`;
  if (state.key === 'failing') return `No plan is running. The instance is not healthy: ${sentence(state.detail)}`;
  if (state.key === 'unknown') return `No plan is running. Its health is not known: ${sentence(state.detail)}`;
  return sentence(state.detail || state.word);
}

function driftedText(objects: string): string {
  const verb = objects.startsWith('1 ') ? 'was' : 'were';
  return `${objects} ${verb} changed outside of plans; see below.`;
}

/** Begins and ends a text like a sentence. */
function sentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? '' : '.';
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`;
}
