import { formatTime } from '@/lib/clock/clock';
import { jsonEqual } from '@/lib/json/json';
import { needsApproval, withoutApproval } from '@/lib/kudo/approvals/plan-approval';
import { brokenLock, withoutLockBreak } from '@/lib/kudo/lock/instance-lock';
import {
  formatActedUpon,
  hasUnseenChange,
  instanceAsActedUpon,
  type RecordContext,
  recordedInputs,
  waitsForSource,
} from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import { executionOf, isDeleting, type Scheduled } from '@/lib/kudo/plan/scheduled';
import { enqueue, type QueuedPlan } from '@/lib/kudo/queue/enqueue';
import { isProven } from '@/lib/kudo/queue/queue-proof';
import { type QueueEntry, withRunQueue } from '@/lib/kudo/queue/run-queue';
import type { RunOrigin } from '@/lib/kudo/runs/read-origin';
import { type OriginInput, originOf } from '@/lib/kudo/runs/run-origin';
import { startClaimOf, withoutRequest } from '@/lib/kudo/runs/run-request';
import { hasSourceValues, withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { withoutTrust } from './inventory-write';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * The Instance with an execution that may begin: scheduled, finalizer, and what it acts upon. When a webhook has written all of
 * that with the edit, there is nothing left to write: the first write of the status, guarded by the same version, claims the
 * execution, and a crash before it leaves an execution that is decided and not begun, as it was before.
 *
 * @param known the Instance as it is stored
 * @param operatorVersion says which parameters are secret
 */
export async function startExecution(
  deps: ReconcilerDeps,
  known: Instance,
  action: Extract<NextAction, { do: 'start' }>,
  operatorVersion: OperatorVersion | undefined,
): Promise<Instance> {
  const { instance, scheduled, keepsInputs = false, entry, after = [] } = action;
  const context = { fingerprints: deps.fingerprints, operatorVersion };
  const startedAt = formatTime(deps.clock.now());
  const by = deps.watches.editorOf(known);
  const next = withStart(withoutTrust(instance, scheduled), scheduled, {
    startedAt,
    keepsInputs,
    context,
    by,
    known,
    broken: brokenLock(known, undefined, deps.clock.now()),
    entry,
    after,
    newUid: scheduled.uid,
  });
  if (isStored(next, known) && !isDeleting(known)) return known;
  return deps.store.write({
    ...next,
    spec: { ...instance.spec, planExecution: executionOf(scheduled, 'IN_PROGRESS') },
  });
}

function isStored(next: Instance, known: Instance): boolean {
  return next === known || (hasSourceValues(next) && jsonEqual(withoutSourceValues(next), known));
}

/**
 * `planExecution.status` says that the plan runs, as KUDO writes it after a pass that did not end the plan; a plan
 * that ends in its first pass is shown by its status alone.
 */
export async function announceExecution(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
): Promise<Instance> {
  const { planName, uid, status } = instance.spec?.planExecution ?? {};
  // What else stands there a person wrote, or it is how the cleanup before ended that a new uid started again.
  if (status === 'IN_PROGRESS' || planName !== scheduled.plan || uid !== scheduled.uid) return instance;
  return deps.store.write({
    ...instance,
    spec: { ...instance.spec, planExecution: executionOf(scheduled, 'IN_PROGRESS') },
  });
}

interface Beginning {
  readonly startedAt: string;
  readonly keepsInputs: boolean;
  readonly context: RecordContext;
  readonly by: string | undefined;
  /** As it is stored. */
  readonly known: Instance;
  /** What is recorded of a lock that the start broke. */
  readonly broken: string | undefined;
  /** The run that waited and begins now. */
  readonly entry: QueueEntry | undefined;
  /** Plans that wait for it. */
  readonly after: readonly QueuedPlan[];
  /** From which those of the runs that wait are derived. */
  readonly newUid: string;
}

/** With the record of the execution; one that the webhook wrote stays as it is, so that no webhook need look at it again. */
function withStart(instance: Instance, scheduled: Scheduled, begin: Beginning): Instance {
  const { startedAt, keepsInputs, context, by, known, broken } = begin;
  const seen = actedUpon(instance);
  const isOurs = seen?.uid === scheduled.uid && seen.plan === scheduled.plan && seen.format !== undefined;
  const isRecorded = isOurs && seen.ended === undefined && !waitsForSource(seen);
  if (isRecorded && !hasUnseenChange(instance, context.fingerprints)) return instance;
  const inputs = keepsInputs ? instanceAsActedUpon(instance, context.fingerprints) : instance;
  const isNew = known.status?.planStatus === undefined;
  const asked = known.spec?.planExecution ?? {};
  const claim = startClaimOf(instance, scheduled.plan, context.fingerprints);
  const origin = withEntry(begin, instance, {
    before: isNew ? undefined : seen,
    now: recordedInputs(inputs, context),
    instance,
    plan: scheduled.plan,
    isAsked: !isNew && (asked.planName ?? '') === scheduled.plan && (asked.uid ?? '') !== (seen?.uid ?? ''),
    claimed: claim?.uid === scheduled.uid ? claim.cause : undefined,
    by,
    broken,
    isApprovalNeeded: needsApproval({
      plan: scheduled.plan,
      instance: known,
      operatorVersion: context.operatorVersion,
    }),
  });
  const record = formatActedUpon(inputs, context, { ...scheduled, startedAt, origin });
  const queued = withQueueAfterStart(instance, scheduled, begin);
  const begun = withoutApproval(withoutLockBreak(withoutRequest(queued, scheduled.plan)));
  const annotations = { ...begun.metadata.annotations, [ACTED_UPON_ANNOTATION]: record };
  return { ...begun, metadata: { ...begun.metadata, annotations } };
}

/** Why a run begins; of one that waited, what its entry says, when that is proven. */
function withEntry({ entry, context }: Beginning, instance: Instance, input: OriginInput): RunOrigin {
  if (entry === undefined) return originOf(input);
  if (!isProven(entry, instance, context.fingerprints)) {
    const { reason } = entry;
    const origin = originOf({ ...input, isAsked: true });
    return reason === undefined ? origin : { ...origin, reason };
  }
  const { cause, by, reason, stopAfter, retryOf, undoOf, preview } = entry;
  // An approval is used, and a lock is broken, by the start itself.
  const { versionBefore, changes, brokenLock, approval: named } = originOf(input);
  const approval = input.isApprovalNeeded ? (entry.approval ?? named) : undefined;
  const said = { by, reason, stopAfter, retryOf, undoOf, preview, versionBefore, changes, brokenLock, approval };
  return { cause, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}

/** In the write that starts the run: its entry is off the queue, and what waits for it is on it. A deletion empties it. */
function withQueueAfterStart(instance: Instance, { plan: started }: Scheduled, begin: Beginning): Instance {
  if (isDeleting(instance)) return withRunQueue(instance, { entries: [] });
  const { after: plans, by, startedAt: at, newUid, context } = begin;
  return enqueue(instance, { started, plans, isAsked: false, by, at, newUid, fingerprints: context.fingerprints });
}
