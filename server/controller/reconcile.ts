import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon';
import { type ExtraCondition, extraConditionOf, stallOf } from '@/lib/kudo/plan/conditions';
import { endPlan } from '@/lib/kudo/plan/end-plan';
import { type NextAction, nextAction } from '@/lib/kudo/plan/next-action';
import type { Readiness } from '@/lib/kudo/plan/readiness';
import { executionOf, isDeleting, type Scheduled } from '@/lib/kudo/plan/scheduled';
import { isTerminal, withStatus } from '@/lib/kudo/plan/status';
import { untoldEnd } from '@/lib/kudo/plan/untold-end';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { randomUuid } from '@/lib/random/random';
import { readSources } from '@/server/parameters/read-sources';
import { StoredRunMemory } from '@/server/runs/run-memory';
import { announceEnd, announceLate, announceRecent, type Failure } from './announce-end';
import { clearExecution, withEndBefore } from './clear-execution';
import { nameGuessableSecrets } from './guessable-secrets';
import { hideSecrets } from './hide-secrets';
import { ENDED_BY_HAND } from './inventory-write';
import { blocked, leaveWithNamespace, release, restWhileDeleting } from './leaving';
import { AGAIN, type Outcome, REST } from './outcome';
import { readinessNow } from './readiness-now';
import { withReadinessWhileRunning } from './readiness-while-running';
import { recordActedUpon } from './record-acted-upon';
import { type Found, forget, inputsOf, memoryBefore, memoryOf, missingInput, newRunKey } from './run-memories';
import { runPlan } from './run-plan';
import { startExecution, tellExecution } from './start-execution';
import { findOperatorVersion, readOperatorVersion, type World } from './world';
import { writeReadiness } from './write-readiness';

/** Looks at one Instance and does the next thing. Safe to be called at any time, any number of times, after any crash. */
export async function reconcile(world: World, key: string, turn: () => Promise<void>): Promise<Outcome> {
  const instance = world.store.get(key);
  if (instance === undefined) {
    world.store.forget(key);
    world.selfHeal.forget(key);
    world.watches.sources.needs(key, undefined);
    return REST;
  }
  const { fingerprints } = world;
  const newUid = randomUuid(world.random);
  world.watches.sources.needs(key, instance);
  const reads = await readSources(world.api, [instance]);
  const watched = await versionsOf(instance, (place) => findOperatorVersion(world, place));
  const action = nextAction({ instance, ...watched, newUid, fingerprints, reads });
  if (action.do !== 'start') return carryOut(world, instance, action, { ...watched, reads, turn });
  // Who edits a template and then starts a plan must not get the old one, however late the watch is.
  const stored = await versionsOf(instance, (place) => readOperatorVersion(world, place));
  const decided = nextAction({ instance, ...stored, newUid, fingerprints, reads });
  return carryOut(world, instance, decided, { ...stored, reads, turn });
}

function missingVersion(instance: Instance): string {
  return `OperatorVersion ${instance.spec?.operatorVersion?.name ?? ''} is not there; the plan waits for it.`;
}

interface Versions {
  readonly operatorVersion: OperatorVersion | undefined;
  readonly actedUponVersion: OperatorVersion | undefined;
}

type FindVersion = (place: { namespace: string; name: string }) => Promise<OperatorVersion | undefined>;

async function versionsOf(instance: Instance, find: FindVersion): Promise<Versions> {
  const now = operatorVersionKey(instance);
  const operatorVersion = await find(now);
  const seen = actedUpon(instance);
  const was =
    seen === undefined ? now : operatorVersionKey({ ...instance, spec: { operatorVersion: seen.operatorVersion } });
  const isSame = was.name === now.name && was.namespace === now.namespace;
  const actedUponVersion = isSame ? operatorVersion : await find(was);
  return { operatorVersion, actedUponVersion };
}

type Rest = Found & { turn: () => Promise<void> };

async function carryOut(world: World, instance: Instance, action: NextAction, rest: Rest): Promise<Outcome> {
  switch (action.do) {
    case 'rest':
      return isDeleting(instance) ? restWhileDeleting(world, instance) : atRest(world, instance, rest);
    case 'start':
      return start(world, instance, action, rest);
    case 'continue':
      return (await notAsKnown(world, instance)) ?? proceed(world, instance, action, rest);
    case 'clear':
      return isToldInVain(world, instance, action.scheduled)
        ? atRest(world, instance, rest)
        : clearLate(world, instance, action.scheduled, rest);
    case 'abandon':
      return abandon(world, instance, action, rest);
    case 'restore':
      return restore(world, instance, action.scheduled, action.message);
    case 'refuse':
      return settle(world, instance, { reason: 'ChangeRefused', message: action.message });
    case 'record':
      return recordActedUpon(world, instance, rest);
    case 'release':
      return release(world, instance, undefined);
    case 'blocked':
      return blocked(world, instance, action.message, action.reason);
  }
}

/**
 * What to do instead of going on with a run when the watched copy is late. Guarded writes alone are not enough here: a step
 * that waits makes what is missing, and for an Instance that is gone everything is missing; and what a run left is kept
 * beside the Instance before the Instance names it, so that a second try would keep less than it names.
 */
async function notAsKnown(world: World, instance: Instance): Promise<Outcome | undefined> {
  const live = await world.store.refresh(`${namespaceOf(instance)}/${nameOf(instance)}`);
  if (live === undefined) return REST;
  if (live.metadata.uid !== instance.metadata.uid) return { next: 'wait', moved: false };
  return live.metadata.resourceVersion === instance.metadata.resourceVersion ? undefined : AGAIN;
}

/** An execution begins, or one that was decided by the webhook is taken up. */
async function start(
  world: World,
  known: Instance,
  action: Extract<NextAction, { do: 'start' }>,
  rest: Rest,
): Promise<Outcome> {
  const { scheduled } = action;
  const other = untoldEnd(known, scheduled) === undefined ? undefined : await notAsKnown(world, known);
  if (other !== undefined) return other;
  const begun = { ...action, instance: await withEndBefore(world, known, action) };
  const asBefore = isDeleting(known) || action.keepsInputs === true;
  const operatorVersion = asBefore ? (rest.actedUponVersion ?? rest.operatorVersion) : rest.operatorVersion;
  const written = await startExecution(world, known, begun, operatorVersion);
  for (const warning of action.warnings) world.events.record(written, 'Warning', 'ParameterIgnored', warning);
  const execution = written.spec?.planExecution;
  // An admission webhook may have given the execution another uid; then this is looked at anew.
  if (execution?.uid !== scheduled.uid || execution.planName !== scheduled.plan) return AGAIN;
  if (operatorVersion === undefined) return blocked(world, written, missingVersion(written));
  const id = known.metadata.uid ?? '';
  // What it has rendered before a write that failed holds; it has begun with that.
  if (world.runs.get(id)?.uid !== scheduled.uid) {
    const inputs = inputsOf(world, written, rest.reads);
    const run = { uid: scheduled.uid, operatorVersion, key: newRunKey(world), inputs };
    world.runs.set(id, new StoredRunMemory(run, memoryBefore(world, known)));
  }
  return proceed(world, written, { scheduled }, rest);
}

interface Continued {
  readonly scheduled: Scheduled;
  readonly pending?: ExtraCondition;
}

async function proceed(world: World, instance: Instance, continued: Continued, rest: Rest): Promise<Outcome> {
  const { scheduled, pending } = continued;
  const memory = await memoryOf(world, instance, scheduled, rest);
  if (memory === undefined) return blocked(world, instance, missingVersion(instance));
  const missing = isDeleting(instance) ? undefined : missingInput(memory, instance, rest.reads);
  if (missing !== undefined) {
    return blocked(world, instance, `${missing}; the plan waits for it.`, 'DependencyMissing');
  }
  if (pending !== undefined && extraConditionOf(instance, 'ChangePending')?.message !== pending.message) {
    const reason = pending.reason === 'ChangeRefused' ? pending.reason : 'ChangeQueued';
    world.events.record(instance, 'Warning', reason, pending.message);
  }
  const progress = await runPlan(world, instance, scheduled, { memory, pending, turn: rest.turn });
  if (progress === undefined) {
    const message = `plan ${scheduled.plan} does not exist`;
    return restore(world, instance, undefined, message);
  }
  if (!isTerminal(progress.status.status)) {
    const { withinMs } = progress;
    const current = await withReadinessWhileRunning(world, progress.instance, scheduled.plan);
    const told = await tellExecution(world, current, scheduled);
    if (isDeleting(instance) && stallOf(told) !== undefined) await leaveWithNamespace(world, told);
    return progress.hasTransient ? { next: 'retry', withinMs } : { next: 'wait', moved: progress.moved, withinMs };
  }
  return finish(world, progress.instance, scheduled, { ...progress, memory });
}

/** The status is written; now `planExecution` is emptied, then the event says how it ended (CTL-25). */
async function finish(
  world: World,
  instance: Instance,
  scheduled: Scheduled,
  ended: { status: { status?: string }; failure?: Failure; memory: StoredRunMemory },
): Promise<Outcome> {
  const status = ended.status.status ?? '';
  world.log.info('plan.finished', {
    instance: `${namespaceOf(instance)}/${nameOf(instance)}`,
    plan: scheduled.plan,
    status,
  });
  const announce = () => announceEnd(world, instance, scheduled, ended.failure);
  if (isDeleting(instance)) {
    announce();
    if (status === 'COMPLETE') return release(world, instance, undefined);
    return restWhileDeleting(world, instance);
  }
  // Whatever becomes of the last write, the end stands in the status, and nobody says it later.
  try {
    await clearExecution(world, instance, scheduled, ended.memory);
  } finally {
    announce();
  }
  await forget(world, instance);
  return AGAIN;
}

/** What a run left is told once by a process: who writes old annotations over it again and again is not fought. */
function isToldInVain(world: World, instance: Instance, { uid }: Scheduled): boolean {
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  return world.told.has(uid);
}

/** The run ended, and a crash came before `planExecution` was emptied. */
async function clearLate(world: World, instance: Instance, scheduled: Scheduled, rest: Rest): Promise<Outcome> {
  const other = await notAsKnown(world, instance);
  if (other !== undefined) return other;
  announceLate(world, instance, scheduled);
  const memory = await memoryOf(world, instance, scheduled, rest);
  await clearExecution(world, instance, scheduled, memory);
  world.told.add(scheduled.uid);
  await forget(world, instance);
  return AGAIN;
}

/** A person ended an execution by writing its status: the plan's status says so too (T-09). */
async function abandon(
  world: World,
  instance: Instance,
  { scheduled, status }: Extract<NextAction, { do: 'abandon' }>,
  rest: Rest,
): Promise<Outcome> {
  const memory = await memoryOf(world, instance, scheduled, rest);
  const known = instance.status?.planStatus?.[scheduled.plan] ?? { name: scheduled.plan };
  const now = formatTime(world.clock.now());
  const next = {
    ...(status === 'FATAL_ERROR'
      ? endPlan(known, { message: ENDED_BY_HAND })
      : withStatus(known, status, ENDED_BY_HAND)),
    uid: scheduled.uid,
    lastUpdatedTimestamp: now,
  };
  const written = await world.store.writeStatus({
    ...instance,
    status: { ...instance.status, planStatus: { ...instance.status?.planStatus, [scheduled.plan]: next } },
  });
  await clearExecution(world, written, scheduled, memory);
  await forget(world, written);
  return AGAIN;
}

/** What was asked for cannot be: `planExecution` goes back to what runs, or to nothing, and an event says why. */
async function restore(
  world: World,
  instance: Instance,
  scheduled: Scheduled | undefined,
  message: string,
): Promise<Outcome> {
  world.events.record(instance, 'Warning', 'ChangeRefused', message);
  const planExecution = scheduled === undefined ? {} : executionOf(scheduled, 'IN_PROGRESS');
  await world.store.write({ ...instance, spec: { ...instance.spec, planExecution } });
  return AGAIN;
}

/** Nothing runs and nothing is asked for: readiness, then what is to be repaired. */
async function atRest(world: World, known: Instance, { operatorVersion }: Rest): Promise<Outcome> {
  announceRecent(world, known);
  await forget(world, known);
  const hidden = await hideSecrets(world, known, operatorVersion);
  const instance = await nameGuessableSecrets(world, hidden, operatorVersion);
  const settled = await settle(world, instance, undefined);
  const afterMs = await world.selfHeal.heal(world, instance, operatorVersion);
  if (afterMs === undefined) return settled;
  return { next: 'later', afterMs: settled.next === 'later' ? Math.min(afterMs, settled.afterMs) : afterMs };
}

/** An idle Instance: its readiness by its resources, unless something more important is to be said. */
async function settle(world: World, instance: Instance, refusal: Readiness | undefined): Promise<Outcome> {
  const { readiness, afterMs } = refusal === undefined ? await readinessNow(world, instance) : { readiness: refusal };
  const changed = await writeReadiness(world, instance, readiness);
  if (changed && refusal !== undefined && 'message' in refusal) {
    world.events.record(instance, 'Warning', refusal.reason, refusal.message);
  }
  return afterMs === undefined ? REST : { next: 'later', afterMs };
}
