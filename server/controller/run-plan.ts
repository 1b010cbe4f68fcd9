import { formatTime } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { ownersOfKind } from '@/lib/kube/owners';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { ExtraCondition } from '@/lib/kudo/plan/conditions';
import { dependencyProblem } from '@/lib/kudo/plan/dependencies';
import { closeOthers } from '@/lib/kudo/plan/end-plan';
import { engineMessage } from '@/lib/kudo/plan/messages';
import { executePass, type PassResult, type TaskOutcome } from '@/lib/kudo/plan/pass';
import { PassLimits } from '@/lib/kudo/plan/pass-limits';
import type { Moment } from '@/lib/kudo/plan/run-pace';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { initialisePlanStatuses, isTerminal, statusOfExecution, withStatus } from '@/lib/kudo/plan/status';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { statusOfRetry } from '@/lib/kudo/runs/retry';
import { heldMs } from '@/lib/kudo/runs/run-status';
import { isWaitMessage, steeringOf, withWait } from '@/lib/kudo/runs/steering';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import type { RunContext } from '@/server/inventory/left-by-plan';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import { prepareTask } from '@/server/tasks/prepare-task';
import type { ReadAhead } from '@/server/tasks/read-ahead';
import { runTask } from '@/server/tasks/run-task';
import { announceStart } from './announce-start';
import { GROUP_AGAIN_MS, takeGroupSlot } from './group-slot';
import { keyOf } from './instance-store';
import { hasConditions, isSamePlanStatus, type PlanConditions, writePlanStatus } from './plan-status';
import { findOperatorVersion, hasOperator, type ReconcilerDeps } from './reconciler-deps';
import { runContextOf } from './run-context';
import { recordOutputs, showRun } from './run-record';
import { StepStatuses } from './step-statuses';
import { outputsOfTask } from './task-outputs';

/** The result of one reconcile of a running plan. */
export interface PlanProgress {
  readonly instance: Instance;
  readonly status: PlanStatus;
  /** A task failed and is tried again, or what the run must not forget could not be stored. */
  readonly hasTransient: boolean;
  /** The status that is stored differs from what it was before this reconcile. */
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

/** One reconcile of a running plan: a pass, with a status write at steps that begin ({@link StepStatuses}) and at the end when something changed. */
export async function runPlan(
  deps: ReconcilerDeps,
  start: Instance,
  scheduled: Scheduled,
  options: RunOptions,
): Promise<PlanProgress | undefined> {
  const { operatorVersion } = options.memory;
  const plan = operatorVersion.spec?.plans?.[scheduled.plan];
  const initial = initialisePlanStatuses(operatorVersion, start.status?.planStatus);
  const planStatuses = closeOthers(initial, scheduled.plan);
  const known = planStatuses[scheduled.plan];
  if (plan === undefined || known === undefined) return undefined;

  const status = statusAtStart(deps, start, scheduled, { known, operatorVersion });
  if (status.status === 'PENDING') {
    const replaced = Object.keys(initial).filter((name) => initial[name] !== planStatuses[name]);
    announceStart(deps, start, scheduled, { operatorVersion, replaced });
  }
  let current = start;
  const write = async (next: PlanStatus, extra: PlanConditions): Promise<void> => {
    current = await writePlanStatus(deps, current, { statuses: planStatuses, plan: scheduled.plan, next, extra });
  };
  // A step that begins is progress, and what is said of the execution before does not hold for a new one.
  const moving: PlanConditions = { Stalled: undefined, ChangePending: options.pending };
  const limits = limitsOf(deps, start, scheduled, { memory: options.memory, status });
  const statuses = new StepStatuses({
    clock: deps.clock,
    store: (next) => write(next, moving),
    isAsKnown: () => isNewest(deps, current),
  });
  const passing = pass(deps, start, scheduled, {
    ...options,
    status,
    limits,
    statuses,
    stepStarts: async (next) => {
      options.memory.times.see(next, momentOf(deps));
      await statuses.begins(next);
      await options.yieldToQueue();
    },
  });
  // Before the next reconcile the version may be edited, and this process may end.
  const keep = async (error: unknown): Promise<never> => {
    if (!(error instanceof ConflictError)) await storeMemory(deps, current, options.memory);
    throw error;
  };
  const passed = await passing.catch(keep);
  const { result, stall, withinMs } = limits.finish(passed);
  options.memory.times.see(result.status, momentOf(deps));
  const isKept = isTerminal(result.status.status) || (await storeMemory(deps, current, options.memory));
  const extra: PlanConditions = { Stalled: stall, ChangePending: options.pending };
  const isWritten = isSamePlanStatus(result.status, current.status?.planStatus?.[scheduled.plan]);
  if (!isWritten || !hasConditions(current, extra)) await write(result.status, extra).catch(keep);
  const { failure, hasTransient, held } = result;
  const { times, shown } = options.memory;
  const news = { planStatus: result.status, times, held, shown };
  const showMs = isTerminal(result.status.status) ? undefined : await showRun(deps, current, scheduled, news);
  return {
    instance: current,
    status: result.status,
    hasTransient: hasTransient || !isKept,
    moved: !isSamePlanStatus(result.status, known),
    // A task that is refused is not tried sooner because a page would like to show that.
    withinMs: hasTransient
      ? withinMs
      : sooner(sooner(withinMs, showMs), isWaitMessage(held) ? GROUP_AGAIN_MS : undefined),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** True when nobody is known to have written the Instance since. */
function isNewest({ store }: ReconcilerDeps, instance: Instance): boolean {
  return store.get(keyOf(instance))?.metadata.resourceVersion === instance.metadata.resourceVersion;
}

function limitsOf(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  { memory, status }: { readonly memory: StoredRunMemory; readonly status: PlanStatus },
): PassLimits {
  return new PassLimits({
    heldMs: heldMs(deps.planRuns.find(instance, uid)?.status, deps.clock.now()),
    instance,
    operatorVersion: memory.operatorVersion,
    plan,
    status,
    pace: memory.pace,
    clock: deps.clock,
  });
}

/** What the execution has done so far; a retry goes on where the run that it repeats has failed. */
function statusAtStart(
  deps: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  about: { readonly known: PlanStatus; readonly operatorVersion: OperatorVersion },
): PlanStatus {
  const now = formatTime(deps.clock.now());
  const record = actedUpon(instance);
  const origin = record?.uid === uid ? record.origin : undefined;
  const repeated = deps.planRuns.of(instance).find((run) => nameOf(run) === origin?.retryOf)?.spec?.uid;
  const retried = statusOfRetry({ origin, uid, repeated, plan, now, ...about });
  return retried ?? statusOfExecution(about.known, uid, now);
}

function sooner(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : Math.min(one, other ?? one);
}

function momentOf({ clock }: ReconcilerDeps): Moment {
  return { nowMs: clock.now(), monotonicMs: clock.monotonic() };
}

/** Once a run, also when a step with more tasks runs this one again. */
function announceNotices(deps: ReconcilerDeps, instance: Instance, { uid }: Scheduled, outcome: TaskOutcome): void {
  const notices = outcome.state === 'done' ? (outcome.notices ?? []) : [];
  for (const message of notices) {
    deps.events.recordOnce(instance, `${uid} ${message}`, { type: 'Warning', reason: 'ActionRequired', message });
  }
}

interface PassOptions {
  readonly memory: StoredRunMemory;
  readonly status: PlanStatus;
  readonly limits: PassLimits;
  readonly statuses: StepStatuses;
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
    context = runContextOf({ ...deps, api: options.statuses.watched(deps.api) }, instance, scheduled, options.memory);
  } catch (error) {
    if (error instanceof RenderError) return fail(error.reason, error.message);
    throw error;
  }
  const now = formatTime(deps.clock.now());
  const spec = deps.planRuns.find(instance, scheduled.uid)?.spec;
  // A run that a person holds takes no place.
  const waitsFor = spec?.paused === true ? undefined : takeGroupSlot(deps, instance, scheduled, operatorVersion);
  // For the first task of a step that begins, and for no other: what runs between would not be in it.
  let ahead: ReadAhead | undefined;
  return executePass(
    { plan, planName: scheduled.plan, status: options.status, tasks, instance: keyOf(instance), now },
    {
      runTask: async (task, place) => {
        const outcome = await runTask(task, { ...context, phase: place.phase, step: place.step, ahead });
        ahead = undefined;
        await options.statuses.check();
        announceNotices(deps, instance, scheduled, outcome);
        if (outcome.state === 'done') {
          await recordOutputs(deps, instance, scheduled, await outputsOfTask(task, { ...context, ...place }, deps));
        }
        return options.limits.judge(outcome, place);
      },
      stepStarts: async (status, { phase, step, task }) => {
        const first = tasks.find(({ name }) => name === task);
        ahead = first === undefined ? undefined : prepareTask(first, { ...context, phase, step });
        await options.stepStarts(status);
      },
      steering: () => withWait(steeringOf(deps.planRuns.find(instance, scheduled.uid)?.spec), waitsFor),
    },
  );
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
