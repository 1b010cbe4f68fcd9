import { formatTime, parseTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { ownersOfKind } from '@/lib/kube/owners';
import { actedUpon, instanceAsActedUpon } from '@/lib/kudo/plan/acted-upon';
import { dependencyProblem } from '@/lib/kudo/plan/dependencies';
import { engineMessage } from '@/lib/kudo/plan/messages';
import { executePass, type PassResult } from '@/lib/kudo/plan/pass';
import { readinessOfEnded, readinessOfRunning, withReadiness } from '@/lib/kudo/plan/readiness';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { initialisePlanStatuses, isTerminal, resetPlanStatus, withStatus } from '@/lib/kudo/plan/status';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { TaskContext } from '@/server/tasks/context';
import { runTask } from '@/server/tasks/run-task';
import type { RunContext } from '@/server/upkeep/left-by-plan';
import { podsOf } from './resource-health';
import { findOperatorVersion, hasOperator, type World } from './world';

/** What a look at a running plan came to. */
export interface PlanProgress {
  readonly instance: Instance;
  readonly status: PlanStatus;
  /** A task failed and is tried again. */
  readonly hasTransient: boolean;
  /** The status that is stored differs from what it was before this look. */
  readonly moved: boolean;
  readonly failure?: { readonly reason: string; readonly message: string };
}

/** One look at a plan under way: a pass, with a status write at every step that begins and at the end when something changed. */
export async function runPlan(
  world: World,
  start: Instance,
  scheduled: Scheduled,
  options: { memory: StoredRunMemory; turn: () => Promise<void> },
): Promise<PlanProgress | undefined> {
  const { operatorVersion } = options.memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan];
  const statuses = initialisePlanStatuses(operatorVersion, start.status?.planStatus);
  const known = statuses[scheduled.plan];
  if (plan === undefined || known === undefined) return undefined;

  const isNew = known.uid !== scheduled.uid;
  const status = isNew ? resetPlanStatus(known, scheduled.uid, formatTime(world.clock.now())) : known;
  if (status.status === 'PENDING') {
    world.events.record(start, 'Normal', 'PlanStarted', `Execution of plan ${scheduled.plan} started`);
    world.log.info('plan.started', { instance: keyText(start), plan: scheduled.plan, uid: scheduled.uid });
  }
  let current = start;
  const write = async (next: PlanStatus): Promise<void> => {
    current = await writeStatus(world, current, { ...statuses, [scheduled.plan]: next }, scheduled.plan);
  };

  const result = await pass(world, start, scheduled, {
    ...options,
    status,
    stepStarts: async (next) => {
      await write(next);
      await options.turn();
    },
  });
  if (!isTerminal(result.status.status)) await storeMemory(world, current, options.memory);
  const moved = !isSame(result.status, known);
  if (!isSame(result.status, current.status?.planStatus?.[scheduled.plan])) await write(result.status);
  const { failure, hasTransient } = result;
  return {
    instance: current,
    status: result.status,
    hasTransient,
    moved,
    ...(failure === undefined ? {} : { failure }),
  };
}

interface PassOptions {
  readonly memory: StoredRunMemory;
  readonly status: PlanStatus;
  stepStarts(status: PlanStatus): Promise<void>;
}

async function pass(world: World, instance: Instance, scheduled: Scheduled, options: PassOptions): Promise<PassResult> {
  const { operatorVersion } = options.memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  const tasks = operatorVersion.spec?.tasks ?? [];
  const fail = (reason: string, cause: string): PassResult => {
    const message = engineMessage(keyText(instance), cause);
    return {
      status: withStatus(options.status, 'FATAL_ERROR', message),
      failure: { reason, message },
      hasTransient: false,
    };
  };
  const missing = await missingDependency(world, instance, scheduled, options);
  if (missing !== undefined) return fail(missing.reason, missing.message);
  let context: RunContext;
  try {
    context = runContextOf(world, instance, scheduled, options.memory);
  } catch (error) {
    if (error instanceof RenderError) return fail(error.reason, error.message);
    throw error;
  }
  return executePass(
    { plan, planName: scheduled.plan, status: options.status, tasks, instance: keyText(instance) },
    {
      runTask: (task, place) => runTask(task, { ...context, phase: place.phase, step: place.step }),
      stepStarts: (status) => options.stepStarts(status),
    },
  );
}

/**
 * What the tasks of a run work with.
 * @throws RenderError for parameters and pipes that no plan can begin with
 */
export function runContextOf(
  world: World,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory,
): RunContext {
  const { operatorVersion } = memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  const tasks = operatorVersion.spec?.tasks ?? [];
  const seen = actedUpon(instance);
  const startedAt = seen?.uid === scheduled.uid ? parseTime(seen.startedAt) : undefined;
  const created = parseTime(instance.metadata.creationTimestamp);
  const finishedBefore = Object.values(instance.status?.planStatus ?? {}).some(({ status }) => status === 'COMPLETE');
  const hasBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  return {
    api: world.api,
    kinds: world.kinds,
    clock: world.clock,
    log: world.log,
    instance: instanceAsActedUpon(instance),
    operatorVersion,
    parameters: unwrapParameters(operatorVersion, instanceAsActedUpon(instance).spec?.parameters),
    pipes: pipeNames(nameOf(instance), scheduled.plan, plan, tasks),
    plan: scheduled.plan,
    uid: scheduled.uid,
    startedAtMs: startedAt ?? created ?? 0,
    memory,
    renderTexts: world.renderTexts,
    isFirstPlan: !finishedBefore && !hasBegun && scheduled.plan !== 'cleanup',
    podsOf: (object: Parameters<TaskContext['podsOf']>[0]) => podsOf(world.watches, object),
  };
}

/** Looked for before the first step begins; children leave it to their parents (DEP-06). */
async function missingDependency(world: World, instance: Instance, scheduled: Scheduled, options: PassOptions) {
  const begun = options.status.status !== 'PENDING';
  if (begun || ownersOfKind(instance, 'kudo.dev', 'Instance').length > 0) return undefined;
  return dependencyProblem(options.memory.operatorVersion, scheduled.plan, {
    operatorVersion: (namespace, name) => findOperatorVersion(world, namespace, name),
    hasOperator: (namespace, name) => hasOperator(world, namespace, name),
  });
}

async function storeMemory(world: World, instance: Instance, memory: StoredRunMemory): Promise<void> {
  try {
    await memory.store(world.api, instance, world.log);
  } catch (error) {
    // The run goes on from the process's memory; a restart renders anew from the same seed.
    world.log.warn('run.memory-not-stored', { instance: keyText(instance), problem: messageOf(error) });
  }
}

/** The Instance with these plan statuses and the readiness that goes with them, written. */
async function writeStatus(
  world: World,
  instance: Instance,
  statuses: { [plan: string]: PlanStatus },
  plan: string,
): Promise<Instance> {
  const now = formatTime(world.clock.now());
  const status = statuses[plan];
  const planStatus = { ...statuses, [plan]: { ...status, lastUpdatedTimestamp: now } };
  const readiness = readinessOfEnded(plan, status?.status) ?? readinessOfRunning(plan);
  const conditions = instance.status?.conditions;
  const next = readiness === undefined ? conditions : withReadiness(conditions, readiness, now);
  return world.store.writeStatus({
    ...instance,
    status: { ...instance.status, planStatus, ...(next === undefined ? {} : { conditions: [...next] }) },
  });
}

/** Equal but for the time of the last write. */
function isSame(a: PlanStatus, b: PlanStatus | undefined): boolean {
  if (b === undefined) return false;
  return jsonEqual({ ...a, lastUpdatedTimestamp: '' }, { ...b, lastUpdatedTimestamp: '' });
}

function keyText(instance: Instance): string {
  return `${namespaceOf(instance)}/${nameOf(instance)}`;
}
