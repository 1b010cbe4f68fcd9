import { cancelMessage, type Steering, unfinishedSteps, verdictForStep } from '@/lib/kudo/runs/steering';
import type { ExecutionStatus, Phase, PhaseStatus, Plan, PlanStatus, Step, StepStatus, Task } from '@/lib/kudo/types';
import { taskBuildProblem } from './build-check';
import { endPlan } from './end-plan';
import {
  ENGINE_EVENT_PREFIX,
  engineMessage,
  fatalTaskMessage,
  formatPlace,
  type TaskPlace,
  transientMessage,
} from './messages';
import { findByName, isRunning, isTerminal, phasesOf, stepsOf, withStart, withStatus } from './status';

/**
 * What running a task returned. `done`: the notices say what a person has to know or to do afterwards, a sentence each. `waiting`: the messages name what the task waits for. `failed` is retried; with `refusal` (a reason)
 * the API server refused the object, and only a person can fix that. `fatal` ends the execution (with an event when there is a
 * reason).
 */
export type TaskOutcome =
  | { readonly state: 'done'; readonly notices?: readonly string[] }
  | {
      readonly state: 'waiting';
      readonly messages: readonly string[];
      readonly waits?: readonly Wait[];
      /** The task waits this long from the beginning of the step; then the execution ends. */
      readonly patience?: { readonly ms: number; readonly reason: string; readonly message: string };
    }
  | { readonly state: 'failed'; readonly message: string; readonly refusal?: string }
  | { readonly state: 'fatal'; readonly message: string; readonly reason: string };

/** One thing that a task waits for; tells a plan that makes progress from a stalled one. */
export interface Wait {
  /** The object and how far it is, without what changes by itself (the state of its pods). */
  readonly what: string;
  /** `alive`: visibly at work. `trouble`: failed, or its pods cannot run. `quiet`: neither is known. */
  readonly sign: 'alive' | 'trouble' | 'quiet';
}

export interface PassInput {
  readonly plan: Plan;
  readonly planName: string;
  readonly status: PlanStatus;
  readonly tasks: readonly Task[];
  /** `namespace/name` of the Instance, for messages. */
  readonly instance: string;
  /** RFC 3339: when steps that begin in this pass began. */
  readonly now?: string;
}

export interface PassEffects {
  /** Runs a task once; must be idempotent. Errors of the cluster are outcomes, not exceptions. */
  runTask(task: Task, place: TaskPlace): Promise<TaskOutcome>;
  /** A step begins: `status` is the plan as a watcher should see it meanwhile, `first` the task that runs next. */
  stepStarts?(status: PlanStatus, first: TaskPlace): Promise<void>;
  /** How a person steers the run at this moment; asked before each step and each task. */
  steering?(): Steering | undefined;
}

export interface PassResult {
  readonly status: PlanStatus;
  /** Why the execution ended in FATAL_ERROR, for the event. */
  readonly failure?: { readonly reason: string; readonly message: string };
  /** True when a task failed and is retried. */
  readonly hasTransient: boolean;
  /** Why no step begins, when a person holds the run. */
  readonly held?: string;
}

/** The state of one walk through the plan. `status` may be written at any time. */
interface Walk {
  readonly input: PassInput;
  readonly effects: PassEffects;
  status: PlanStatus;
  failure?: { reason: string; message: string };
  hasTransient: boolean;
  held?: string;
}

/** The reason of the event of a run that a person cancelled. */
export const PLAN_CANCELLED = 'PlanCancelled';

/**
 * One pass over a plan (KUDO pkg/engine/workflow/engine.go Execute): visits phases and steps in order, runs
 * every task of each step that is not COMPLETE, and leaves a phase (plan) at the first step (phase) that is not done when
 * its strategy is `serial`. Any other strategy visits the next one all the same; nothing runs concurrently.
 *
 * States of a step: PENDING → IN_PROGRESS (visited) → COMPLETE (all tasks done in one pass), or ERROR (a task failed;
 * IN_PROGRESS again at the next visit), or FATAL_ERROR. A phase and the plan follow: COMPLETE when all parts are,
 * FATAL_ERROR when one is, else IN_PROGRESS. The message of a step that waits says what it waits for.
 */
export async function executePass(input: PassInput, effects: PassEffects): Promise<PassResult> {
  if (isTerminal(input.status.status)) return { status: input.status, hasTransient: false };
  const walk: Walk = { input, effects, status: withStatus(input.status, 'IN_PROGRESS'), hasTransient: false };
  let complete = true;
  for (const phase of phasesOf(input.plan)) {
    const phaseDone = await visitPhase(walk, phase);
    if (walk.failure !== undefined) return finish(walk);
    complete &&= phaseDone;
    if (!phaseDone && input.plan.strategy === 'serial') break;
  }
  if (complete) walk.status = withStatus(walk.status, 'COMPLETE');
  return finish(walk);
}

function finish(walk: Walk): PassResult {
  const { status, failure, hasTransient, held } = walk;
  if (failure !== undefined) return { status, failure, hasTransient };
  return held === undefined ? { status, hasTransient } : { status: { ...status, message: held }, hasTransient, held };
}

async function visitPhase(walk: Walk, phase: Phase): Promise<boolean> {
  const existing = findByName(walk.status.phases, phase.name);
  if (existing === undefined) {
    const place = formatPlace({ plan: walk.input.planName, phase: phase.name });
    failEngine(walk, 'MissingPhaseStatus', `missing phase status: ${place}`);
    return false;
  }
  if (existing.status === 'COMPLETE') return true;
  if (isRunning(existing.status)) putPhase(walk, withStatus(existing, 'IN_PROGRESS'));
  let complete = true;
  for (const step of stepsOf(phase)) {
    const stepDone = await visitStep(walk, phase, step);
    if (walk.failure !== undefined) return false;
    complete &&= stepDone;
    if (!stepDone && phase.strategy === 'serial') break;
  }
  if (complete) setPhase(walk, phase.name, 'COMPLETE');
  return complete;
}

async function visitStep(walk: Walk, phase: Phase, step: Step): Promise<boolean> {
  const place = { plan: walk.input.planName, phase: phase.name, step: step.name };
  const existing = findByName(findByName(walk.status.phases, phase.name)?.steps, step.name);
  if (existing === undefined) {
    failEngine(walk, 'MissingStepStatus', `missing step status: ${formatPlace(place)}`, phase.name);
    return false;
  }
  if (existing.status === 'COMPLETE') return true;
  if (isCancelled(walk)) return false;
  const hasBegun = existing.status !== 'PENDING';
  const verdict = verdictForStep(walk.effects.steering?.(), walk.input.plan, {
    phase: phase.name,
    step: step.name,
    hasBegun,
  });
  if (verdict.do === 'skip') {
    setStep(walk, place, 'COMPLETE', verdict.message);
    return true;
  }
  if (verdict.do === 'hold') {
    walk.held ??= verdict.message;
    return false;
  }
  if (isRunning(existing.status)) {
    const begins = existing.status === 'PENDING';
    const kept = existing.status === 'IN_PROGRESS' ? (existing.message ?? '') : '';
    const startedTimestamp = begins ? walk.input.now : (existing.startedTimestamp ?? walk.input.now);
    putStep(walk, phase.name, withStart(withStatus(existing, 'IN_PROGRESS', kept), startedTimestamp));
    if (begins) await walk.effects.stepStarts?.(walk.status, { ...place, task: step.tasks?.[0] ?? '' });
  }
  return runTasks(walk, place, step);
}

async function runTasks(walk: Walk, place: Omit<TaskPlace, 'task'>, step: Step): Promise<boolean> {
  const waitsFor: string[] = [];
  let failed: string | undefined;
  let complete = true;
  for (const name of step.tasks ?? []) {
    const outcome = await runTask(walk, { ...place, task: name });
    if (outcome === undefined) return false;
    if (outcome.state === 'done') continue;
    complete = false;
    if (outcome.state === 'waiting') waitsFor.push(...outcome.messages);
    if (outcome.state === 'failed') failed = transientMessage({ ...place, task: name }, outcome.message);
  }
  if (failed !== undefined) {
    walk.hasTransient = true;
    setStep(walk, place, 'ERROR', failed);
  } else if (complete) setStep(walk, place, 'COMPLETE');
  else if (waitsFor.length > 0) updateWaiting(walk, place, waitsFor.join('; '));
  return complete;
}

/** Undefined when the task ended the execution. */
async function runTask(walk: Walk, place: TaskPlace): Promise<Exclude<TaskOutcome, { state: 'fatal' }> | undefined> {
  if (isCancelled(walk)) return undefined;
  const task = walk.input.tasks.find((candidate) => candidate.name === place.task);
  if (task === undefined) {
    failStep(walk, place, 'UnknownTaskName', `missing task ${formatPlace(place)}`);
    return undefined;
  }
  const problem = taskBuildProblem(task);
  if (problem !== undefined) {
    failStep(walk, place, 'TaskBuildError', `failed to build task ${formatPlace(place)}: ${problem}`);
    return undefined;
  }
  const outcome = await walk.effects.runTask(task, place);
  if (outcome.state !== 'fatal') return outcome;
  const message = fatalTaskMessage(walk.input.instance, place, outcome.message);
  failWith(walk, place, message);
  walk.failure = { reason: outcome.reason, message };
  return undefined;
}

/** Ends the plan when a person has cancelled the run: what runs has come to its end, and nothing begins any more. */
function isCancelled(walk: Walk): boolean {
  if (walk.effects.steering?.()?.isCancelled !== true) return false;
  const message = cancelMessage(unfinishedSteps(walk.status.phases));
  walk.status = endPlan(walk.status, { message });
  walk.failure = { reason: PLAN_CANCELLED, message };
  return true;
}

function failStep(walk: Walk, place: TaskPlace, reason: string, what: string): void {
  const message = engineMessage(walk.input.instance, what);
  failWith(walk, place, message);
  walk.failure = { reason, message: `${ENGINE_EVENT_PREFIX}${message}` };
}

function failWith(walk: Walk, place: TaskPlace, message: string): void {
  setStep(walk, place, 'FATAL_ERROR', message);
  setPhase(walk, place.phase, 'FATAL_ERROR');
  walk.status = withStatus(walk.status, 'FATAL_ERROR');
}

/** The message goes to the phase when one is named, else to the plan. */
function failEngine(walk: Walk, reason: string, what: string, phase?: string): void {
  const message = engineMessage(walk.input.instance, what);
  if (phase !== undefined) setPhase(walk, phase, 'FATAL_ERROR', message);
  walk.status = withStatus(walk.status, 'FATAL_ERROR', phase === undefined ? message : '');
  walk.failure = { reason, message: `${ENGINE_EVENT_PREFIX}${message}` };
}

function setPhase(walk: Walk, name: string, status: ExecutionStatus, message = ''): void {
  const existing = findByName(walk.status.phases, name);
  if (existing !== undefined) putPhase(walk, withStatus(existing, status, message));
}

function putPhase(walk: Walk, phase: PhaseStatus): void {
  const phases = (walk.status.phases ?? []).map((other) => (other.name === phase.name ? phase : other));
  walk.status = { ...walk.status, phases };
}

function setStep(walk: Walk, place: Omit<TaskPlace, 'task'>, status: ExecutionStatus, message = ''): void {
  const existing = findByName(findByName(walk.status.phases, place.phase)?.steps, place.step);
  if (existing === undefined) return;
  const next = withStatus(existing, status, message);
  putStep(walk, place.phase, isTerminal(status) ? withStart(next, undefined) : next);
}

/** A step that waits keeps its status (KUDO: a NEVER_RUN step keeps that status although it runs, ENG-23). */
function updateWaiting(walk: Walk, place: Omit<TaskPlace, 'task'>, message: string): void {
  const existing = findByName(findByName(walk.status.phases, place.phase)?.steps, place.step);
  if (existing !== undefined) putStep(walk, place.phase, { ...existing, message });
}

function putStep(walk: Walk, phaseName: string, step: StepStatus): void {
  const phase = findByName(walk.status.phases, phaseName);
  if (phase === undefined) return;
  const steps = (phase.steps ?? []).map((other) => (other.name === step.name ? step : other));
  putPhase(walk, { ...phase, steps });
}
