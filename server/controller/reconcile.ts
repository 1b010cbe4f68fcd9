import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { type ExtraCondition, extraConditionOf, stallOf } from '@/lib/kudo/plan/conditions';
import { endPlan } from '@/lib/kudo/plan/end-plan';
import { nextAction } from '@/lib/kudo/plan/next-action';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import type { ReadyVerdict } from '@/lib/kudo/plan/readiness';
import { isDeleting, type Scheduled } from '@/lib/kudo/plan/scheduled';
import { isTerminal, withStatus } from '@/lib/kudo/plan/status';
import { unannouncedEnd } from '@/lib/kudo/plan/unannounced-end';
import type { Instance } from '@/lib/kudo/types';
import { randomUuid } from '@/lib/random/random';
import { readSources } from '@/server/parameters/read-sources';
import { decideWithPreconditions } from '@/server/preconditions/decide-with-preconditions';
import { StoredRunMemory } from '@/server/runs/run-memory';
import { announceEnd, announceLate, announceRecent, type PlanFailure } from './announce-end';
import { clearExecution, withEndBefore } from './clear-execution';
import { blocked, finalizeWithNamespace, removeFinalizer, restWhileDeleting } from './finalize';
import { nameGuessableSecrets } from './guessable-secrets';
import { hideSecrets } from './hide-secrets';
import { ENDED_BY_HAND } from './inventory-write';
import { hideFalseAuthor } from './lock-author';
import { markApproval } from './mark-approval';
import { measureEnd } from './measure-end';
import { neededObjects } from './needed-objects';
import { AGAIN, type Outcome, REST } from './outcome';
import { enqueueRuns, sayHeld } from './queue-runs';
import { readinessNow } from './readiness-now';
import { withReadinessWhileRunning } from './readiness-while-running';
import type { ReconcilerDeps } from './reconciler-deps';
import { recordActedUpon } from './record-acted-upon';
import { restoreExecution } from './restore-execution';
import { type Found, forget, inputsOf, memoryBefore, memoryOf, missingInput, newRunKey } from './run-memories';
import { runPlan } from './run-plan';
import { beginRun, endCleanup, endOthers, endRun, endRunsOfGone } from './run-record';
import { announceExecution, startExecution } from './start-execution';
import { startForObject } from './start-for-object';
import { untilUnlocked } from './until-unlocked';
import { currentVersions, type Versions, watchedVersions } from './versions-of';
import { writeHealth } from './write-health';
import { writeReadiness } from './write-readiness';

/** Looks at one Instance and does the next thing. Safe to be called at any time, any number of times, after any crash. */
export async function reconcile(
  deps: ReconcilerDeps,
  key: string,
  yieldToQueue: () => Promise<void>,
): Promise<Outcome> {
  const known = deps.store.get(key);
  if (known === undefined) {
    deps.store.forget(key);
    deps.selfHeal.forget(key);
    deps.health.forget(key);
    deps.watches.objects.needs(key, []);
    await endRunsOfGone(deps, key);
    return REST;
  }
  const instance = await hideFalseAuthor(deps, known);
  const { fingerprints } = deps;
  const nowMs = deps.clock.now();
  const newUid = randomUuid(deps.random);
  const arrival = deps.watches.versionReads.takeArrival(instance);
  const watched = await watchedVersions(deps, instance);
  deps.watches.objects.needs(key, neededObjects(instance, watched.operatorVersion, deps.kinds));
  const reads = await readSources(deps.api, [instance]);
  deps.health.needs(instance, watched.operatorVersion);
  const decide = (versions: Versions): Promise<NextAction> =>
    decideWithPreconditions(deps, reads, (judge) =>
      nextAction({ instance, ...versions, newUid, fingerprints, reads, judge, nowMs }),
    );
  const action = await decide(watched);
  if (action.do !== 'start') return carryOut(deps, instance, action, { ...watched, reads, yieldToQueue });
  const stored = await currentVersions(deps, instance, { arrival, reads });
  return carryOut(deps, instance, await decide(stored), { ...stored, reads, yieldToQueue });
}

function missingVersion(instance: Instance): string {
  return `OperatorVersion ${instance.spec?.operatorVersion?.name ?? ''} does not exist; the plan waits for it.`;
}

type Rest = Found & { yieldToQueue: () => Promise<void> };

async function carryOut(deps: ReconcilerDeps, instance: Instance, action: NextAction, rest: Rest): Promise<Outcome> {
  switch (action.do) {
    case 'rest':
      if (isDeleting(instance)) return restWhileDeleting(deps, instance);
      if (action.held !== undefined) sayHeld(deps, instance, action.held);
      return untilUnlocked(deps, instance, await atRest(deps, instance, rest));
    case 'enqueue':
      return enqueueRuns(deps, instance, action);
    case 'start':
      return start(deps, instance, action, rest);
    case 'continue':
      return (await notAsKnown(deps, instance)) ?? proceed(deps, instance, action, rest);
    case 'clear':
      return isAlreadyAnnounced(deps, instance, action.scheduled)
        ? atRest(deps, instance, rest)
        : clearLate(deps, instance, action.scheduled, rest);
    case 'abandon':
      return abandon(deps, instance, action, rest);
    case 'restore':
      return restoreExecution(deps, instance, action.scheduled, action.message);
    case 'refuse':
      return refuse(deps, instance, action.message);
    case 'record':
      return recordActedUpon(deps, instance, rest);
    case 'release':
      await endCleanup(deps, instance, rest);
      return removeFinalizer(deps, instance, undefined);
    case 'blocked':
      return blocked(deps, instance, action.message, action.reason);
  }
}

/**
 * What to do instead of going on with a run when the watched copy is late. Guarded writes alone are not enough here: a step
 * that waits makes what is missing, and for an Instance that is gone everything is missing; and what a run left is kept
 * beside the Instance before the Instance names it, so that a second try would keep less than it names.
 */
async function notAsKnown(deps: ReconcilerDeps, instance: Instance): Promise<Outcome | undefined> {
  const live = await deps.store.refresh(`${namespaceOf(instance)}/${nameOf(instance)}`);
  if (live === undefined) return REST;
  if (live.metadata.uid !== instance.metadata.uid) return { next: 'wait', moved: false };
  return live.metadata.resourceVersion === instance.metadata.resourceVersion ? undefined : AGAIN;
}

/** An execution begins, or one that was decided by the webhook is taken up. */
async function start(
  deps: ReconcilerDeps,
  known: Instance,
  action: Extract<NextAction, { do: 'start' }>,
  rest: Rest,
): Promise<Outcome> {
  const { scheduled } = action;
  const other = unannouncedEnd(known, scheduled) === undefined ? undefined : await notAsKnown(deps, known);
  if (other !== undefined) return other;
  const begun = { ...action, instance: await withEndBefore(deps, known, action) };
  const asBefore = isDeleting(known) || action.keepsInputs === true;
  const operatorVersion = asBefore ? (rest.actedUponVersion ?? rest.operatorVersion) : rest.operatorVersion;
  const written = await startExecution(deps, known, begun, operatorVersion);
  for (const warning of action.warnings) deps.events.record(written, 'Warning', 'ParameterIgnored', warning);
  const execution = written.spec?.planExecution;
  // An admission webhook may have given the execution another uid; then the next reconcile decides.
  if (execution?.uid !== scheduled.uid || execution.planName !== scheduled.plan) return AGAIN;
  if (operatorVersion === undefined) return blocked(deps, written, missingVersion(written));
  const id = known.metadata.uid ?? '';
  // What it has rendered before a write that failed holds; it has begun with that.
  if (deps.runs.get(id)?.uid !== scheduled.uid) {
    const inputs = inputsOf(deps, written, rest.reads);
    const run = { uid: scheduled.uid, operatorVersion, key: newRunKey(deps), inputs };
    deps.runs.set(id, new StoredRunMemory(run, memoryBefore(deps, known)));
  }
  return proceed(deps, written, { scheduled }, rest);
}

interface Continued {
  readonly scheduled: Scheduled;
  readonly pending?: ExtraCondition;
}

async function proceed(deps: ReconcilerDeps, instance: Instance, continued: Continued, rest: Rest): Promise<Outcome> {
  const { scheduled, pending } = continued;
  const memory = await memoryOf(deps, instance, scheduled, rest);
  if (memory === undefined) return blocked(deps, instance, missingVersion(instance));
  const missing = isDeleting(instance) ? undefined : missingInput(memory, instance, rest.reads);
  if (missing !== undefined) {
    return blocked(deps, instance, `${missing}; the plan waits for it.`, 'DependencyMissing');
  }
  if (pending !== undefined && extraConditionOf(instance, 'ChangePending')?.message !== pending.message) {
    const reason = pending.reason === 'ChangeRefused' ? pending.reason : 'ChangeQueued';
    deps.events.record(instance, 'Warning', reason, pending.message);
  }
  const unmarked = await markApproval(deps, instance, scheduled);
  if (unmarked !== undefined) return blocked(deps, instance, unmarked, 'DependencyMissing');
  await beginRun(deps, instance, scheduled);
  const progress = await runPlan(deps, instance, scheduled, { memory, pending, yieldToQueue: rest.yieldToQueue });
  if (progress === undefined) {
    const message = `plan ${scheduled.plan} does not exist`;
    return restoreExecution(deps, instance, undefined, message);
  }
  if (!isTerminal(progress.status.status)) {
    const { withinMs } = progress;
    const current = await writeHealth(deps, await withReadinessWhileRunning(deps, progress.instance, scheduled.plan));
    const announced = await announceExecution(deps, current, scheduled);
    if (isDeleting(instance) && stallOf(announced) !== undefined) await finalizeWithNamespace(deps, announced);
    return progress.hasTransient ? { next: 'retry', withinMs } : { next: 'wait', moved: progress.moved, withinMs };
  }
  return finish(deps, progress.instance, scheduled, { ...progress, memory });
}

/** The status is written; now `planExecution` is emptied, then the event says how it ended (CTL-25). */
async function finish(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  ended: { status: { status?: string }; failure?: PlanFailure; memory: StoredRunMemory },
): Promise<Outcome> {
  const status = ended.status.status ?? '';
  deps.log.info('plan.finished', {
    instance: `${namespaceOf(instance)}/${nameOf(instance)}`,
    plan: scheduled.plan,
    status,
  });
  measureEnd(deps, instance, scheduled, { status, memory: ended.memory });
  const announce = () => announceEnd(deps, instance, scheduled, ended.failure);
  if (isDeleting(instance)) {
    await endRun(deps, instance, scheduled, ended.memory);
    announce();
    if (status === 'COMPLETE') return removeFinalizer(deps, instance, undefined);
    return restWhileDeleting(deps, instance);
  }
  // Whatever becomes of the last write, the end stands in the status, and nobody says it later.
  try {
    await clearExecution(deps, instance, scheduled, ended.memory);
  } finally {
    announce();
  }
  await forget(deps, instance);
  return AGAIN;
}

/** A process publishes what a run applied once: it does not fight a client that writes old annotations again and again. */
function isAlreadyAnnounced(deps: ReconcilerDeps, instance: Instance, { uid }: Scheduled): boolean {
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  return deps.announced.has(uid);
}

/** The run ended, and a crash came before `planExecution` was emptied. */
async function clearLate(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled, rest: Rest): Promise<Outcome> {
  const other = await notAsKnown(deps, instance);
  if (other !== undefined) return other;
  announceLate(deps, instance, scheduled);
  const memory = await memoryOf(deps, instance, scheduled, rest);
  await clearExecution(deps, instance, scheduled, memory);
  deps.announced.add(scheduled.uid);
  await forget(deps, instance);
  return AGAIN;
}

/** A person ended an execution by writing its status: the plan's status says so too (T-09). */
async function abandon(
  deps: ReconcilerDeps,
  instance: Instance,
  { scheduled, status }: Extract<NextAction, { do: 'abandon' }>,
  rest: Rest,
): Promise<Outcome> {
  const memory = await memoryOf(deps, instance, scheduled, rest);
  const known = instance.status?.planStatus?.[scheduled.plan] ?? { name: scheduled.plan };
  const now = formatTime(deps.clock.now());
  const next = {
    ...(status === 'FATAL_ERROR'
      ? endPlan(known, { message: ENDED_BY_HAND })
      : withStatus(known, status, ENDED_BY_HAND)),
    uid: scheduled.uid,
    lastUpdatedTimestamp: now,
  };
  const written = await deps.store.writeStatus({
    ...instance,
    status: { ...instance.status, planStatus: { ...instance.status?.planStatus, [scheduled.plan]: next } },
  });
  await clearExecution(deps, written, scheduled, memory);
  await forget(deps, written);
  return AGAIN;
}

/** Nothing runs and nothing is asked for: readiness, then what is to be repaired. */
async function atRest(deps: ReconcilerDeps, known: Instance, { operatorVersion }: Rest): Promise<Outcome> {
  announceRecent(deps, known);
  await endOthers(deps, known, undefined);
  await forget(deps, known);
  const hidden = await hideSecrets(deps, known, operatorVersion);
  const instance = await writeHealth(deps, await nameGuessableSecrets(deps, hidden, operatorVersion));
  const settled = await settle(deps, instance, undefined);
  if (await startForObject(deps, instance, operatorVersion)) return AGAIN;
  const afterMs = await deps.selfHeal.heal(deps, instance, operatorVersion);
  if (afterMs === undefined) return settled;
  return { next: 'later', afterMs: settled.next === 'later' ? Math.min(afterMs, settled.afterMs) : afterMs };
}

/** An edit is refused and stays; one that a lock refused starts its plan when the lock is over. */
async function refuse(deps: ReconcilerDeps, instance: Instance, message: string): Promise<Outcome> {
  return untilUnlocked(deps, instance, await settle(deps, instance, { reason: 'ChangeRefused', message }));
}

/** An idle Instance: its readiness by its resources, unless something more important is to be said. */
async function settle(deps: ReconcilerDeps, instance: Instance, refusal: ReadyVerdict | undefined): Promise<Outcome> {
  const { readiness, afterMs } = refusal === undefined ? await readinessNow(deps, instance) : { readiness: refusal };
  const changed = await writeReadiness(deps, instance, readiness);
  if (changed && refusal !== undefined && 'message' in refusal) {
    deps.events.record(instance, 'Warning', refusal.reason, refusal.message);
  }
  return afterMs === undefined ? REST : { next: 'later', afterMs };
}
