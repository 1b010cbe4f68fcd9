import { formatTime, parseTime } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { ownersOfKind } from '@/lib/kube/owners';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon';
import {
  type ExtraCondition,
  type ExtraConditionType,
  extraConditionOf,
  withExtraCondition,
} from '@/lib/kudo/plan/conditions';
import { deadlineProblems } from '@/lib/kudo/plan/deadlines';
import { dependencyProblem } from '@/lib/kudo/plan/dependencies';
import { closeOthers } from '@/lib/kudo/plan/end-plan';
import { engineMessage } from '@/lib/kudo/plan/messages';
import { executePass, type PassResult } from '@/lib/kudo/plan/pass';
import { PlanLook } from '@/lib/kudo/plan/plan-look';
import { readinessOfEnded, readinessOfRunning, withReadiness } from '@/lib/kudo/plan/readiness';
import { instanceOfRun } from '@/lib/kudo/plan/run-inputs';
import type { Moment } from '@/lib/kudo/plan/run-pace';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { initialisePlanStatuses, isTerminal, statusOfExecution, withStart, withStatus } from '@/lib/kudo/plan/status';
import { pipeNames } from '@/lib/kudo/rendering/pipe-names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import type { RunContext } from '@/server/inventory/left-by-plan';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { TaskContext } from '@/server/tasks/context';
import { prepareTask } from '@/server/tasks/prepare-task';
import type { ReadAhead } from '@/server/tasks/read-ahead';
import { runTask } from '@/server/tasks/run-task';
import { keyOf } from './instance-store';
import { findOperatorVersion, hasOperator, type ReconcilerDeps } from './reconciler-deps';
import { podsOf } from './resource-health';

/** What a look at a running plan came to. */
export interface PlanProgress {
  readonly instance: Instance;
  readonly status: PlanStatus;
  /** A task failed and is tried again, or what the run must not forget could not be stored. */
  readonly hasTransient: boolean;
  /** The status that is stored differs from what it was before this look. */
  readonly moved: boolean;
  readonly failure?: { readonly reason: string; readonly message: string };
  /** A deadline ends in so many milliseconds. */
  readonly withinMs?: number | undefined;
}

export interface RunOptions {
  readonly memory: StoredRunMemory;
  /** An edit that waits for the end of the plan. */
  readonly pending: ExtraCondition | undefined;
  yieldToQueue(): Promise<void>;
}

/** One look at a plan under way: a pass, with a status write at every step that begins and at the end when something changed. */
export async function runPlan(
  deps: ReconcilerDeps,
  start: Instance,
  scheduled: Scheduled,
  options: RunOptions,
): Promise<PlanProgress | undefined> {
  const { operatorVersion } = options.memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan];
  const initial = initialisePlanStatuses(operatorVersion, start.status?.planStatus);
  const statuses = closeOthers(initial, scheduled.plan);
  const known = statuses[scheduled.plan];
  if (plan === undefined || known === undefined) return undefined;

  const status = statusOfExecution(known, scheduled.uid, formatTime(deps.clock.now()));
  if (status.status === 'PENDING') {
    const replaced = Object.keys(initial).filter((name) => initial[name] !== statuses[name]);
    announceStart(deps, start, scheduled, { operatorVersion, replaced });
  }
  let current = start;
  const write = async (next: PlanStatus, extra: Extra): Promise<void> => {
    current = await writeStatus(deps, current, { statuses, plan: scheduled.plan, next, extra });
  };
  // A step that begins is progress, and what is said of the execution before does not hold for a new one.
  const moving: Extra = { Stalled: undefined, ChangePending: options.pending };
  const look = new PlanLook({
    instance: start,
    operatorVersion,
    plan: scheduled.plan,
    status,
    pace: options.memory.pace,
    clock: deps.clock,
  });
  const passing = pass(deps, start, scheduled, {
    ...options,
    status,
    look,
    stepStarts: async (next) => {
      options.memory.times.see(next, momentOf(deps));
      await write(next, moving);
      await options.yieldToQueue();
    },
  });
  // Before the next look the version may be edited, and this process may end.
  const keep = async (error: unknown): Promise<never> => {
    if (!(error instanceof ConflictError)) await storeMemory(deps, current, options.memory);
    throw error;
  };
  const passed = await passing.catch(keep);
  const { result, stall, withinMs } = look.finish(passed);
  options.memory.times.see(result.status, momentOf(deps));
  const isKept = isTerminal(result.status.status) || (await storeMemory(deps, current, options.memory));
  const extra: Extra = { Stalled: stall, ChangePending: options.pending };
  const isWritten = isSame(result.status, current.status?.planStatus?.[scheduled.plan]);
  if (!isWritten || !holds(current, extra)) await write(result.status, extra).catch(keep);
  const { failure, hasTransient } = result;
  return {
    instance: current,
    status: result.status,
    hasTransient: hasTransient || !isKept,
    moved: !isSame(result.status, known),
    withinMs,
    ...(failure === undefined ? {} : { failure }),
  };
}

function momentOf({ clock }: ReconcilerDeps): Moment {
  return { nowMs: clock.now(), monotonicMs: clock.monotonic() };
}

function announceStart(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  about: { operatorVersion: OperatorVersion; replaced: readonly string[] },
): void {
  sayReplaced(deps, instance, plan, about.replaced);
  for (const problem of deadlineProblems(instance, about.operatorVersion)) {
    deps.events.record(instance, 'Warning', 'InvalidDeadline', problem);
  }
  deps.events.record(instance, 'Normal', 'PlanStarted', `Execution of plan ${plan} started`);
  deps.log.info('plan.started', { instance: keyOf(instance), plan, uid });
}

/** The deletion of an Instance ends what runs, and is no news; an edit or a trigger that does is. */
function sayReplaced(deps: ReconcilerDeps, instance: Instance, by: string, plans: readonly string[]): void {
  if (by === CLEANUP_PLAN) return;
  const why = extraConditionOf(instance, 'Stalled')?.message ?? '';
  for (const plan of plans) {
    const message = `Plan ${by} takes the place of plan ${plan}. ${why}`.trim();
    deps.events.record(instance, 'Warning', 'PlanSuperseded', message);
  }
}

interface PassOptions {
  readonly memory: StoredRunMemory;
  readonly status: PlanStatus;
  readonly look: PlanLook;
  stepStarts(status: PlanStatus): Promise<void>;
}

async function pass(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  options: PassOptions,
): Promise<PassResult> {
  const { operatorVersion } = options.memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan] ?? {};
  const tasks = operatorVersion.spec?.tasks ?? [];
  const fail = (reason: string, cause: string): PassResult => {
    const message = engineMessage(keyOf(instance), cause);
    return {
      status: withStatus(options.status, 'FATAL_ERROR', message),
      failure: { reason, message },
      hasTransient: false,
    };
  };
  const missing = await missingDependency(deps, instance, scheduled, options);
  if (missing !== undefined) return fail(missing.reason, missing.message);
  let context: RunContext;
  try {
    context = runContextOf(deps, instance, scheduled, options.memory);
  } catch (error) {
    if (error instanceof RenderError) return fail(error.reason, error.message);
    throw error;
  }
  const now = formatTime(deps.clock.now());
  // For the first task of a step that begins, and for no other: what runs between would not be in it.
  let ahead: ReadAhead | undefined;
  return executePass(
    { plan, planName: scheduled.plan, status: options.status, tasks, instance: keyOf(instance), now },
    {
      runTask: async (task, place) => {
        const outcome = await runTask(task, { ...context, phase: place.phase, step: place.step, ahead });
        ahead = undefined;
        return options.look.judge(outcome, place);
      },
      stepStarts: async (status, { phase, step, task }) => {
        const first = tasks.find(({ name }) => name === task);
        ahead = first === undefined ? undefined : prepareTask(first, { ...context, phase, step });
        await options.stepStarts(status);
      },
    },
  );
}

/**
 * What the tasks of a run work with.
 * @throws RenderError for parameters and pipes that no plan can begin with
 */
export function runContextOf(
  deps: ReconcilerDeps,
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
  const begun = instanceOfRun(instance, deps.fingerprints, memory.inputs);
  return {
    api: deps.api,
    kinds: deps.kinds,
    clock: deps.clock,
    log: deps.log,
    instance: begun,
    operatorVersion,
    parameters: unwrapParameters(operatorVersion, begun.spec?.parameters),
    pipes: pipeNames(nameOf(instance), scheduled.plan, plan, tasks),
    plan: scheduled.plan,
    uid: scheduled.uid,
    startedAtMs: startedAt ?? created ?? 0,
    memory,
    pipePods: deps.pipePods,
    renderTexts: deps.renderTexts,
    fingerprints: deps.fingerprints,
    isFirstPlan: !finishedBefore && !hasBegun && scheduled.plan !== 'cleanup',
    podsOf: (object: Parameters<TaskContext['podsOf']>[0]) => podsOf(deps.watches, object),
  };
}

/** Looked for before the first step begins; children leave it to their parents (DEP-06). */
async function missingDependency(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled, options: PassOptions) {
  const begun = options.status.status !== 'PENDING';
  if (begun || ownersOfKind(instance, 'kudo.dev', 'Instance').length > 0) return undefined;
  return dependencyProblem(options.memory.operatorVersion, scheduled.plan, {
    operatorVersion: (namespace, name) => findOperatorVersion(deps, { namespace, name }),
    hasOperator: (namespace, name) => hasOperator(deps, namespace, name),
  });
}

/** False when it could not be stored: the run goes on from the process's memory, and it is tried again soon. */
async function storeMemory(deps: ReconcilerDeps, instance: Instance, memory: StoredRunMemory): Promise<boolean> {
  try {
    return await memory.store({ api: deps.api, instance, log: deps.log });
  } catch (error) {
    deps.log.warn('run.memory-not-stored', { instance: keyOf(instance), problem: messageOf(error) });
    return false;
  }
}

type ConditionOfPlan = Exclude<ExtraConditionType, 'GuessableSecret'>;
type Extra = { readonly [type in ConditionOfPlan]: ExtraCondition | undefined };

/** The Instance with that plan status, and the readiness and conditions that go with it, written. */
async function writeStatus(
  deps: ReconcilerDeps,
  instance: Instance,
  change: { statuses: { [plan: string]: PlanStatus }; plan: string; next: PlanStatus; extra: Extra },
): Promise<Instance> {
  const { plan, next } = change;
  const now = formatTime(deps.clock.now());
  const planStatus = { ...change.statuses, [plan]: { ...next, lastUpdatedTimestamp: now } };
  const readiness = readinessOfEnded(plan, next.status) ?? readinessOfRunning(plan);
  const before = instance.status?.conditions;
  const ready = readiness === undefined ? before : withReadiness(before, readiness, now);
  const stalled = withExtraCondition(ready, 'Stalled', change.extra.Stalled, now);
  const conditions = withExtraCondition(stalled, 'ChangePending', change.extra.ChangePending, now);
  return deps.store.writeStatus({
    ...instance,
    status: { ...instance.status, planStatus, ...(conditions === undefined ? {} : { conditions: [...conditions] }) },
  });
}

/** True when the conditions say that already. */
function holds({ status }: Instance, extra: Extra): boolean {
  const types: readonly ConditionOfPlan[] = ['Stalled', 'ChangePending'];
  return types.every((type) => withExtraCondition(status?.conditions, type, extra[type], '') === status?.conditions);
}

/** Equal but for the time of the last write, and for starts of steps, which an old definition of the kind would drop. */
function isSame(a: PlanStatus, b: PlanStatus | undefined): boolean {
  return b !== undefined && jsonEqual(compared(a), compared(b));
}

function compared(status: PlanStatus): PlanStatus {
  const phases = (status.phases ?? []).map((phase) => {
    return { ...phase, steps: (phase.steps ?? []).map((step) => withStart(step, undefined)) };
  });
  return { ...status, lastUpdatedTimestamp: '', phases };
}
