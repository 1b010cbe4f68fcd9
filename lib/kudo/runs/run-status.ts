import { formatTime, parseTime } from '@/lib/clock/clock';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { StepSpan, StepTimes } from '@/lib/kudo/plan/step-times';
import type { PlanStatus, StepStatus } from '@/lib/kudo/types';
import { type FailureExplanation, saysMoreThanPlan } from './failure-explanation';
import type { PlanRunStatus, RunOutput, RunPhase, RunStatus, RunStep, SteeringEntry } from './plan-run';
import { CANCELLED, isWaitMessage } from './steering';

/** Steering that is remembered; the first entries go when there are more. */
const MOST_ENTRIES = 100;
const MOST_OUTPUTS = 200;

/** What is known of a run at one moment. */
export interface RunMoment {
  /** What its PlanRun says so far. */
  readonly before: PlanRunStatus | undefined;
  readonly planStatus: PlanStatus;
  /** As this process saw it; undefined when another one ran it. */
  readonly times: StepTimes | undefined;
  readonly nowMs: number;
  /** Why no step begins, when a person holds the run. */
  readonly held?: string | undefined;
  /** Why it failed, when that is known. */
  readonly explanation?: FailureExplanation | undefined;
}

/** `status` of a PlanRun: what it says so far, brought up to date. Entries and outputs are kept as they are. */
export function runStatusOf({ before, planStatus, times, nowMs, held, explanation }: RunMoment): PlanRunStatus {
  const status = wordOf(planStatus, held);
  const isOver = isTerminal(planStatus.status);
  const finishedAt = isOver ? (planStatus.lastUpdatedTimestamp ?? formatTime(nowMs)) : undefined;
  const isExplained = status === 'FATAL_ERROR' && explanation !== undefined && saysMoreThanPlan(explanation);
  const message = held ?? (isExplained ? explanation.headline : messageOf(planStatus));
  const { message: _, finishedAt: _end, heldSince, ...kept } = before ?? {};
  const since = parseTime(heldSince);
  const isHeld = held !== undefined;
  const wasHeldMs = !isHeld && since !== undefined ? Math.max(0, nowMs - since) : 0;
  const heldSeconds = Math.round(((before?.heldSeconds ?? 0) * 1_000 + wasHeldMs) / 1_000);
  return {
    ...kept,
    status,
    ...(message === '' ? {} : { message }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(heldSeconds > 0 ? { heldSeconds } : {}),
    ...(isHeld ? { heldSince: heldSince ?? formatTime(nowMs) } : {}),
    phases: phasesOf(planStatus, times, before?.phases),
  };
}

/** For how long people have held the run, ms. */
export function heldMs(status: PlanRunStatus | undefined, nowMs: number): number {
  const since = parseTime(status?.heldSince);
  return (status?.heldSeconds ?? 0) * 1_000 + (since === undefined ? 0 : Math.max(0, nowMs - since));
}

/** The status with one more thing that a person did. */
export function withEntry(status: PlanRunStatus, entry: SteeringEntry): PlanRunStatus {
  return { ...status, steering: [...(status.steering ?? []), entry].slice(-MOST_ENTRIES) };
}

/** The status with outputs that it did not have yet; the same object when there are none. */
export function withOutputs(status: PlanRunStatus, outputs: readonly RunOutput[]): PlanRunStatus {
  const key = ({ type, name, createdAt }: RunOutput) => JSON.stringify([type, name, createdAt]);
  const known = new Set((status.outputs ?? []).map(key));
  const fresh = outputs.filter((output) => !known.has(key(output)));
  if (fresh.length === 0) return status;
  return { ...status, outputs: [...(status.outputs ?? []), ...fresh].slice(-MOST_OUTPUTS) };
}

function wordOf({ status, message }: PlanStatus, held: string | undefined): RunStatus {
  if (status === 'FATAL_ERROR') return (message ?? '').startsWith(CANCELLED) ? 'Cancelled' : 'FATAL_ERROR';
  if (status === 'COMPLETE') return 'COMPLETE';
  if (held !== undefined) return isWaitMessage(held) ? 'PENDING' : 'Paused';
  return status === 'PENDING' || status === 'NEVER_RUN' ? 'PENDING' : 'IN_PROGRESS';
}

/** The plan's own message, else the first one of a part that failed or waits. */
function messageOf({ message = '', phases }: PlanStatus): string {
  if (message !== '') return message;
  const parts = (phases ?? []).flatMap((phase) => [phase, ...(phase.steps ?? [])]);
  const found =
    parts.find((part) => part.status === 'FATAL_ERROR' && (part.message ?? '') !== '') ??
    parts.find((part) => part.status === 'ERROR' && (part.message ?? '') !== '');
  return found?.message ?? '';
}

function phasesOf(
  { phases }: PlanStatus,
  times: StepTimes | undefined,
  before: readonly RunPhase[] | undefined,
): RunPhase[] {
  return (phases ?? []).map(({ name = '', status, message = '', steps }) => {
    const known = before?.find((phase) => phase.name === name);
    return {
      name,
      ...(status === undefined ? {} : { status }),
      ...(message === '' ? {} : { message }),
      steps: (steps ?? []).map((step) => {
        const was = known?.steps?.find((each) => each.name === step.name);
        return stepOf(step, was, { span: times?.spanOf(name, step.name), seconds: times?.secondsOf(name, step.name) });
      }),
    };
  });
}

/** What this process saw counts more than what is recorded. */
function stepOf(
  { name = '', status, message = '', startedTimestamp }: StepStatus,
  was: RunStep | undefined,
  { span, seconds = was?.seconds }: { span: StepSpan | undefined; seconds: number | undefined },
): RunStep {
  const began = span === undefined ? (was?.startedAt ?? startedTimestamp) : formatTime(span.beganAtMs);
  const ended = span?.endedAtMs === undefined ? was?.finishedAt : formatTime(span.endedAtMs);
  const attempts = Math.max(span?.attempts ?? 0, was?.attempts ?? 0);
  const members = {
    status,
    message: message === '' ? undefined : message,
    startedAt: began,
    finishedAt: ended,
    seconds,
    attempts: attempts > 1 ? attempts : undefined,
  };
  const known = Object.entries(members).filter(([, member]) => member !== undefined);
  return { name, ...Object.fromEntries(known) };
}
