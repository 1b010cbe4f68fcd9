import type { Plan, PlanStatus } from '@/lib/kudo/types';
import type { PlanRunSpec, SkippedStep } from './plan-run';

/** How a run is steered, as its PlanRun says at one moment. */
export interface Steering {
  readonly isPaused: boolean;
  readonly isCancelled: boolean;
  /** The name of a phase; undefined when the run is to go on to its end. */
  readonly stopAfter: string | undefined;
  readonly skip: readonly SkippedStep[];
  /** Why no step begins although nobody holds the run: its concurrency group is full. A sentence that begins with {@link WAITS}. */
  readonly waitsFor?: string | undefined;
}

/** A phase of a plan with its steps, and the statuses of both as far as they have any. */
export interface PlannedPhase {
  readonly name?: string;
  readonly status?: string;
  readonly steps?: readonly { readonly name?: string; readonly status?: string }[] | null;
}

/** What becomes of a step whose turn it is. */
export type StepVerdict =
  | { readonly do: 'go' }
  | { readonly do: 'hold'; readonly message: string }
  | { readonly do: 'skip'; readonly message: string };

const PAUSED = 'Paused';
const STOPPED = 'Stopped after phase';

/** How the message of a plan begins that waits for a run of its concurrency group. */
export const WAITS = 'Waits for the run';

const GO: StepVerdict = { do: 'go' };

/** How the message of a plan begins that a person cancelled. */
export const CANCELLED = 'The run was cancelled';

/** A run without a PlanRun is not steered. */
export function steeringOf(spec: PlanRunSpec | undefined): Steering | undefined {
  if (spec === undefined) return undefined;
  const { paused, cancelled, stopAfter = '', skip = [] } = spec;
  if (paused !== true && cancelled !== true && stopAfter === '' && skip.length === 0) return undefined;
  return {
    isPaused: paused === true,
    isCancelled: cancelled === true,
    stopAfter: stopAfter === '' ? undefined : stopAfter,
    skip,
  };
}

/** The same, for a run that also waits for its concurrency group. */
export function withWait(steering: Steering | undefined, waitsFor: string | undefined): Steering | undefined {
  if (waitsFor === undefined) return steering;
  return { isPaused: false, isCancelled: false, stopAfter: undefined, skip: [], ...steering, waitsFor };
}

/** True for the message of a run that waits for another one, and that nobody holds. */
export function isWaitMessage(message: string | undefined): boolean {
  return message?.startsWith(WAITS) === true;
}

/**
 * A step that has begun goes on until it is done, skipped or cancelled; one that has not is held while the run is paused, and after
 * the phase at which the run is to stop.
 */
export function verdictForStep(
  steering: Steering | undefined,
  plan: Plan,
  place: { readonly phase: string; readonly step: string; readonly hasBegun: boolean },
): StepVerdict {
  if (steering === undefined) return GO;
  const { phase, step, hasBegun } = place;
  const skipped = steering.skip.find((each) => each.phase === phase && each.step === step);
  if (skipped !== undefined) return { do: 'skip', message: skipMessage(skipped) };
  if (hasBegun) return GO;
  const where = `before step ${step} of phase ${phase}`;
  if (steering.isPaused) return { do: 'hold', message: `${PAUSED} ${where}. Resume or cancel the run.` };
  const { stopAfter, waitsFor } = steering;
  if (waitsFor !== undefined) return { do: 'hold', message: waitsFor };
  if (stopAfter === undefined) return GO;
  const order = (plan.phases ?? []).map(({ name }) => name);
  const last = order.indexOf(stopAfter);
  if (last === -1 || order.indexOf(phase) <= last) return GO;
  return { do: 'hold', message: `${STOPPED} ${stopAfter}, ${where}. Resume or cancel the run.` };
}

/** True for the message of a plan that a person holds. */
export function isHoldMessage(message: string): boolean {
  return message.startsWith(PAUSED) || message.startsWith(STOPPED);
}

const SKIPPED = 'Skipped';

function skipMessage({ reason = '' }: SkippedStep): string {
  return reason === '' ? `${SKIPPED}.` : `${SKIPPED}: ${reason}`;
}

/** Which steps of an execution a person had skipped, by its status. */
export function skippedStepsOf(
  status: PlanStatus | undefined,
): (place: { readonly phase: string; readonly step: string }) => boolean {
  return ({ phase, step }) => {
    const found = status?.phases?.find(({ name }) => name === phase)?.steps?.find(({ name }) => name === step);
    const { message = '' } = found ?? {};
    return found?.status === 'COMPLETE' && (message === `${SKIPPED}.` || message.startsWith(`${SKIPPED}: `));
  };
}

/** Steps of a plan that is cut short now. */
export interface UnfinishedSteps {
  /** `phase/step` of those that have begun and are not complete. */
  readonly halfDone: readonly string[];
  /** How many have not begun. */
  readonly notRun: number;
}

/** A step without a status has not begun. */
export function unfinishedSteps(phases: readonly PlannedPhase[] | null | undefined): UnfinishedSteps {
  const steps = (phases ?? []).flatMap(({ name: phase = '', steps: all }) =>
    (all ?? []).map(({ name = '', status }) => ({ place: `${phase}/${name}`, status })),
  );
  const halfDone = steps.filter(({ status }) => status === 'IN_PROGRESS' || status === 'ERROR');
  const notRun = steps.filter(({ status }) => status === undefined || status === 'PENDING' || status === 'NEVER_RUN');
  return { halfDone: halfDone.map(({ place }) => place), notRun: notRun.length };
}

/** What a person is told before a run is cancelled. */
export function cancelWarning({ halfDone, notRun }: UnfinishedSteps): string {
  const half = halfDone.length === 0 ? 'No step is half done' : `Now half done: ${halfDone.join(', ')}`;
  const rest = notRun === 0 ? '' : `; ${notRun} ${notRun === 1 ? 'step has' : 'steps have'} not begun`;
  return `${half}${rest}. What was applied stays as it is. This cannot be taken back.`;
}

/** What a cancelled run left: the steps that had begun are half done. */
export function cancelMessage({ halfDone, notRun }: UnfinishedSteps): string {
  const half = halfDone.length === 0 ? 'No step is half done' : `Half done: ${halfDone.join(', ')}`;
  const rest = notRun === 0 ? '' : `; ${notRun} ${notRun === 1 ? 'step' : 'steps'} did not begin`;
  return `${CANCELLED}. ${half}${rest}. What was applied stays as it is.`;
}
