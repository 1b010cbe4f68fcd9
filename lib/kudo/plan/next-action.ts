import type { AdmissionDecision } from '@/lib/kudo/admission/admission-decision';
import { decideWithSources } from '@/lib/kudo/admission/decision';
import { startRefusal } from '@/lib/kudo/admission/plan-gate';
import { CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import { withoutConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import { isEditDecided } from '@/lib/kudo/queue/queue-proof';
import { isForEdit, runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { hasUnseenChange, instanceAsActedUpon, withSources } from './acted-upon';
import { actedUpon } from './acted-upon-record';
import { isAskedFor } from './asked-parameters';
import { cancelledExecution } from './cancelled-execution';
import { type ExtraCondition, stallOf } from './conditions';
import { endedByHand } from './ended-by-hand';
import { executionUnderWay } from './execution-under-way';
import { heldAction } from './held-action';
import type { NextAction, NextActionInput } from './next-action-types';
import { isTakenBack, queuedAction, tidied } from './queued-action';
import { executionOf, hasEnded, isDeleting, type Scheduled, scheduledPlan } from './scheduled';
import { blockedAction, startAction } from './start-action';
import { takenOver } from './taken-over';
import { unannouncedRecord } from './unannounced-end';
import { whileDeleting } from './while-deleting';

/** Decides by comparison alone, so that every edit counts, with or without a webhook, seen or not while it was made. */
export function nextAction(given: NextActionInput): NextAction {
  const instance = withSources(given.instance, given.reads, given.fingerprints);
  const input = { ...given, instance };
  // A cleanup waits for nothing: what it needs may have been deleted before the Instance.
  if (isDeleting(instance)) return whileDeleting(input);
  const scheduled = scheduledPlan(instance);
  const action = scheduled === undefined ? whileIdle(input) : whileScheduled(input, scheduled);
  return action.do === 'start' ? (heldAction(input, scheduled) ?? action) : action;
}

function whileIdle(input: NextActionInput): NextAction {
  const { instance, operatorVersion } = input;
  const seen = actedUpon(instance);
  const ended = endedByHand(instance);
  if (ended !== undefined) return ended;
  // A record without any plan status came with a copied manifest: nothing was ever acted upon here.
  if (instance.status?.planStatus === undefined) return decideNew(input);
  if (seen === undefined) return { do: 'record' };
  const cancelled = cancelledExecution(input);
  if (cancelled !== undefined) return cancelled;
  const isUnseen = hasUnseenChange(instance, input.fingerprints);
  if (!isUnseen || isEditDecided(instance, input.fingerprints)) {
    const queued = queuedAction(input, isUnseen);
    if (queued !== undefined && queued.do !== 'rest') return queued;
    const unannounced = unannouncedRecord(instance);
    // A person emptied `planExecution` between the two last writes of a run: what it applied is published now.
    if (unannounced?.plan === undefined || unannounced.uid === undefined || unannounced.uid !== seen.uid)
      return isUnseen && !isEditWaiting(instance)
        ? whileNothingStarts(input, true)
        : (queued ?? whileNothingStarts(input, isUnseen));
    return { do: 'clear', scheduled: { plan: unannounced.plan, uid: unannounced.uid } };
  }
  if (operatorVersion === undefined) return blockedAction(instance);
  return decideEdit(input, undefined) ?? { do: 'record' };
}

/** True while a run waits for an edit. Without one the edit is decided: a held queue of other runs does not hold it. */
function isEditWaiting(instance: Instance): boolean {
  const { edit, entries } = runQueueOf(instance);
  return entries.some(({ plan }) => isForEdit(edit, plan));
}

/** An edit whose runs a person took off the queue is stored as it is; one that waits for its version is not acted upon before. */
function whileNothingStarts({ instance, operatorVersion }: NextActionInput, isUnseen: boolean): NextAction {
  const isWaiting = isUnseen || runQueueOf(instance).entries.length > 0;
  if (operatorVersion === undefined && isWaiting) return blockedAction(instance);
  return isUnseen ? { do: 'record' } : { do: 'rest' };
}

function decideNew(input: NextActionInput): NextAction {
  const decision = decideWithSources({
    operation: 'CREATE',
    new: input.instance,
    newOperatorVersion: input.operatorVersion,
    newUid: input.newUid,
    judge: input.judge,
    nowMs: input.nowMs,
  });
  if (decision.outcome === 'error') return blockedAction(input.instance);
  if (decision.outcome === 'denied') return { do: 'refuse', message: decision.message ?? 'refused' };
  const created = decision.instance ?? input.instance;
  return startAction(created, { plan: decision.plan ?? '', uid: input.newUid }, decision);
}

/** Undefined when the edit starts nothing. */
function decideEdit(input: NextActionInput, running: Scheduled | undefined): NextAction | undefined {
  const before = instanceAsActedUpon(input.instance, input.fingerprints);
  const planExecution = running === undefined ? {} : { planName: running.plan, uid: running.uid };
  const decision = decideWithSources({
    operation: 'UPDATE',
    old: { ...before, spec: { ...before.spec, planExecution } },
    new: { ...input.instance, spec: { ...input.instance.spec, planExecution } },
    oldOperatorVersion: input.actedUponVersion,
    newOperatorVersion: input.operatorVersion,
    newUid: input.newUid,
    judge: input.judge,
    nowMs: input.nowMs,
  });
  if (decision.outcome === 'error') return blockedAction(input.instance);
  if (decision.outcome === 'denied') return { do: 'refuse', message: decision.message ?? 'refused' };
  if (decision.plan === undefined && decision.queued === undefined) return undefined;
  const held = heldAction(input, undefined);
  if (held !== undefined) return held;
  if (decision.plan === undefined) return waiting(input, decision, running);
  const instance = decision.instance ?? input.instance;
  return startAction(instance, { plan: decision.plan, uid: input.newUid }, decision);
}

/** What was decided waits for the execution in progress, which `planExecution` names again. */
function waiting(
  input: NextActionInput,
  { instance = input.instance, queued: plans = [] }: AdmissionDecision,
  running: Scheduled | undefined,
): NextAction {
  const { planExecution } = input.instance.spec ?? {};
  const isAsked =
    running !== undefined && (planExecution?.planName !== running.plan || planExecution.uid !== running.uid);
  const restored = running === undefined ? {} : executionOf(running, 'IN_PROGRESS');
  const spec = { ...instance.spec, planExecution: isAsked ? restored : (planExecution ?? {}) };
  return { do: 'enqueue', instance: { ...instance, spec }, plans, isAsked };
}

function whileScheduled(input: NextActionInput, scheduled: Scheduled): NextAction {
  const { instance } = input;
  if (hasEnded(instance, scheduled)) return { do: 'clear', scheduled };
  if (isUnderWay(instance, scheduled)) {
    const written = instance.spec?.planExecution?.status;
    if (written === 'COMPLETE' || written === 'FATAL_ERROR') return { do: 'abandon', scheduled, status: written };
    // KUDO's own executions go on under their uid; what they run with counts as acted upon from now on.
    if (actedUpon(instance) === undefined) return { do: 'record' };
    if (!isDecidedOnly(input, scheduled)) return whileRunning(input, scheduled);
    return input.operatorVersion === undefined ? blockedAction(instance) : startAction(instance, scheduled);
  }
  // A trigger that a webhook has seen carries NEVER_RUN, or nothing at all on a create; then it was decided already.
  const isNew = actedUpon(instance) === undefined && instance.status?.planStatus === undefined;
  if (isNew && instance.spec?.planExecution?.status === undefined) return decideNewScheduled(input, scheduled);
  if (instance.spec?.planExecution?.status === 'NEVER_RUN' && scheduled.uid !== '') return accept(input, scheduled);
  return decideTrigger(input, scheduled);
}

/** True for an execution that was begun: by us (the record names it) or by KUDO (its status does). */
function isUnderWay(instance: Instance, scheduled: Scheduled): boolean {
  if (scheduled.uid === '') return false;
  return isRecorded(instance, scheduled) || instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
}

/** True when the webhook has decided and recorded an execution that nobody has begun yet. */
function isDecidedOnly({ instance, fingerprints }: NextActionInput, scheduled: Scheduled): boolean {
  const isBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  return !isBegun && instance.spec?.planExecution?.status !== 'IN_PROGRESS' && !hasUnseenChange(instance, fingerprints);
}

/** The plan counts too: a merge patch of the name alone leaves the uid of what runs. */
function isRecorded(instance: Instance, { plan, uid }: Scheduled): boolean {
  const seen = actedUpon(instance);
  return seen?.uid === uid && (seen.plan === undefined || seen.plan === plan);
}

/**
 * An edit while a plan runs starts that plan again when it means it, and takes the place of a plan that makes no progress.
 * Any other waits until the plan is over, and is said to.
 */
function whileRunning(input: NextActionInput, scheduled: Scheduled): NextAction {
  const { instance, operatorVersion, fingerprints } = input;
  if (!hasUnseenChange(instance, fingerprints)) {
    return isTakenBack(instance) ? tidied(instance) : { do: 'continue', scheduled };
  }
  const isDecided = isEditDecided(instance, fingerprints);
  const action =
    operatorVersion === undefined ? blockedAction(instance) : isDecided ? undefined : decideEdit(input, scheduled);
  if (action?.do === 'start' || action?.do === 'enqueue') return action;
  const taking = isDecided && stallOf(instance) !== undefined ? queuedAction(input, true) : undefined;
  if (taking?.do === 'start') return taking;
  if (isDecided) return { do: 'continue', scheduled, ...pendingQueue(instance, scheduled) };
  const pending = action === undefined ? undefined : pendingChange(input, scheduled);
  return { do: 'continue', scheduled, ...(pending === undefined ? {} : { pending }) };
}

/** The first run that waits for that plan, when it waits for an edit. */
function pendingQueue(instance: Instance, { plan }: Scheduled): { pending?: ExtraCondition } {
  const { edit, entries } = runQueueOf(instance);
  const first = entries.find((entry) => edit?.plans.includes(entry.plan));
  if (first === undefined) return {};
  const message = `A change waits until plan ${plan} ends; then plan ${first.plan} runs.`;
  return { pending: { reason: 'WaitsForPlan', message } };
}

/** What will become of an edit that cannot be acted upon while that plan runs. */
function pendingChange(input: NextActionInput, { plan }: Scheduled): ExtraCondition | undefined {
  const later = input.operatorVersion === undefined ? blockedAction(input.instance) : decideEdit(input, undefined);
  const until = `A change waits until plan ${plan} ends`;
  switch (later?.do) {
    case 'start':
      return { reason: 'WaitsForPlan', message: `${until}; then plan ${later.scheduled.plan} runs.` };
    case 'refuse':
      return { reason: 'ChangeRefused', message: later.message };
    case 'blocked':
      return { reason: 'WaitsForPlan', message: `${until}. ${later.message}` };
    default:
      return { reason: 'WaitsForPlan', message: `${until}.` };
  }
}

function decideNewScheduled(input: NextActionInput, scheduled: Scheduled): NextAction {
  const action = decideNew(input);
  // The uid of a webhook's (or a client's) deploy stays, so that a client that follows it finds it.
  if (action.do !== 'start' || scheduled.plan !== action.scheduled.plan || scheduled.uid === '') return action;
  return startAction(action.instance, scheduled, action);
}

function accept(input: NextActionInput, scheduled: Scheduled): NextAction {
  const { instance, actedUponVersion } = input;
  const keepsInputs = actedUponVersion !== undefined && meansAnother(input, scheduled);
  const operatorVersion = keepsInputs ? actedUponVersion : input.operatorVersion;
  if (operatorVersion === undefined) return blockedAction(instance);
  const mayRun = hasPlan(operatorVersion, scheduled.plan) && scheduled.plan !== CLEANUP_PLAN;
  // No webhook of ours has let it pass when another execution is recorded and not over, begun or not.
  if (!mayRun || executionUnderWay(instance) !== undefined) return decideTrigger(input, scheduled);
  const refusal = startRefusal({ plan: scheduled.plan, instance, operatorVersion }, input);
  if (refusal !== undefined) return { do: 'restore', scheduled: undefined, message: refusal.message };
  const begun = withoutConfirmation(takenOver(input.operatorVersion, instance), scheduled.plan);
  return { do: 'start', scheduled, instance: begun, warnings: [], keepsInputs };
}

/** True for an edit that no webhook has seen and that this plan does not carry out: lost, if the plan began with it. */
function meansAnother(input: NextActionInput, { plan }: Scheduled): boolean {
  if (!hasUnseenChange(input.instance, input.fingerprints) || isAskedFor(input, plan)) return false;
  const edit = decideEdit(input, undefined);
  return edit !== undefined && !(edit.do === 'start' && edit.scheduled.plan === plan);
}

/** A person (or an old client without a webhook in between) asks for a plan by writing `planExecution`. */
function decideTrigger(input: NextActionInput, scheduled: Scheduled): NextAction {
  const { instance } = input;
  const before = instanceAsActedUpon(instance, input.fingerprints);
  const running = executionUnderWay(instance);
  const decision = decideWithSources({
    operation: 'UPDATE',
    old: {
      ...before,
      spec: {
        ...before.spec,
        planExecution: running === undefined ? {} : { planName: running.plan, uid: running.uid },
      },
    },
    new: instance,
    oldOperatorVersion: input.actedUponVersion,
    newOperatorVersion: input.operatorVersion,
    newUid: input.newUid,
    ...(isEditDecided(instance, input.fingerprints) ? { decided: instance } : {}),
    judge: input.judge,
    nowMs: input.nowMs,
  });
  if (decision.outcome === 'error') return blockedAction(instance);
  if (decision.outcome === 'denied')
    return { do: 'restore', scheduled: running, message: decision.message ?? 'refused' };
  if (decision.plan === undefined && decision.queued !== undefined) return waiting(input, decision, running);
  if (decision.plan === undefined)
    return { do: 'restore', scheduled: running, message: `plan ${scheduled.plan} was not started` };
  const isOwnUid = scheduled.uid !== '' && scheduled.uid !== actedUpon(instance)?.uid;
  const uid = decision.plan === scheduled.plan && isOwnUid ? scheduled.uid : input.newUid;
  return startAction(
    takenOver(input.operatorVersion, decision.instance ?? instance),
    { plan: decision.plan, uid },
    decision,
  );
}
