import { type Clock, parseTime } from '@/lib/clock/clock';
import type { Instance, OperatorVersion, PlanStatus, StepStatus } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';
import type { ExtraCondition } from './conditions';
import { type Deadline, deadlineOf } from './deadlines';
import { endPlan } from './end-plan';
import type { TaskPlace } from './messages';
import type { PassResult, TaskOutcome, Wait } from './pass';
import type { Moment, PassObservation, RunPace } from './run-pace';
import { findByName, isRunning, isTerminal } from './status';

/** A refused write is retried so often, and for at least so long: a person may be fixing the cause. */
const REFUSALS = 5;
const REFUSED_MS = 20_000;
const MAX_MESSAGE_CHARS = 700;

export interface PassLimitsInput {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly plan: string;
  readonly status: PlanStatus;
  readonly pace: RunPace;
  readonly clock: Clock;
  /** For how long a person has held the run so far. */
  readonly heldMs?: number;
}

/** The result of a pass after deadlines and other limits. */
export interface JudgedResult {
  readonly result: PassResult;
  /** Why the plan is stalled. */
  readonly stall: ExtraCondition | undefined;
  /** Milliseconds until the next deadline or other limit; undefined without one. */
  readonly withinMs: number | undefined;
}

/**
 * One reconcile of a running plan with everything that ends or stalls it: refusals that a retry cannot change, limited waits,
 * deadlines, and missing progress. Decides from outcomes of tasks, statuses and clocks alone.
 */
export class PassLimits {
  private readonly waits: Wait[] = [];
  private readonly failing: string[] = [];
  /** Milliseconds until each limited wait ends. */
  private readonly patienceMs: number[] = [];

  constructor(private readonly input: PassLimitsInput) {}

  /** Records the outcome of a task; returns `fatal` when a limit is reached. */
  judge(outcome: TaskOutcome, place: TaskPlace): TaskOutcome {
    const key = `${place.phase}.${place.step}.${place.task}`;
    const { pace, clock } = this.input;
    if (outcome.state === 'failed') {
      this.failing.push(key);
      if (outcome.refusal === undefined) return outcome;
      const { count, forMs } = pace.refused(key, clock.monotonic());
      const isOver = count >= REFUSALS && forMs >= REFUSED_MS;
      return isOver ? { state: 'fatal', reason: outcome.refusal, message: outcome.message } : outcome;
    }
    pace.accepted(key);
    if (outcome.state !== 'waiting') return outcome;
    const { patience, waits = [{ what: `${key} ${outcome.messages.join('; ')}`, sign: 'quiet' as const }] } = outcome;
    this.waits.push(...waits);
    if (patience === undefined) return outcome;
    const elapsedMs = this.elapsedMs(place.phase, place.step);
    const limitMs = Math.max(patience.ms, this.deadline(place.phase, place.step)?.ms ?? 0);
    if (elapsedMs >= limitMs) return { state: 'fatal', reason: patience.reason, message: patience.message };
    this.patienceMs.push(limitMs - elapsedMs);
    return outcome;
  }

  /** The result of the pass after its deadlines, and whether the plan is stalled. */
  finish(result: PassResult): JudgedResult {
    if (isTerminal(result.status.status)) return { result, stall: undefined, withinMs: undefined };
    const limits = this.limits(result.status, result.held !== undefined);
    const [over] = limits.filter(({ leftMs }) => leftMs <= 0);
    if (over !== undefined) return { result: this.expired(result, over), stall: undefined, withinMs: undefined };
    const left = [...limits.map(({ leftMs }) => leftMs), ...this.patienceMs];
    const withinMs = left.length === 0 ? undefined : Math.min(...left);
    // Nothing is wrong with a run that a person holds.
    const stall = result.held === undefined ? this.stall(result.status) : undefined;
    return { result, stall, withinMs };
  }

  /** The plan's own deadline does not run while a person holds it. */
  private limits(status: PlanStatus, isHeld: boolean): Limit[] {
    const { plan, instance } = this.input;
    const limits: Limit[] = [];
    for (const { phase, step } of stepsUnderWay(status)) {
      const deadline = this.deadline(phase, step.name ?? '');
      if (deadline === undefined) continue;
      limits.push({ phase, step, deadline, leftMs: deadline.ms - this.elapsedMs(phase, step.name ?? '') });
    }
    const whole = deadlineOf(instance, this.input.operatorVersion, { plan });
    if (whole !== undefined && !isHeld) limits.push({ deadline: whole, leftMs: whole.ms - this.planElapsedMs() });
    return limits;
  }

  private expired(result: PassResult, { phase, step, deadline }: Limit): PassResult {
    const { plan } = this.input;
    const waited = step === undefined ? whatWaits(result.status) : (step.message ?? '');
    const what = step === undefined ? `Plan ${plan}` : `Step ${step.name ?? ''} of plan ${plan}`;
    const message = [
      `${what} is past its deadline of ${deadline.text}.`,
      waited === '' ? unfinished(result.status, step) : `It waited for: ${cut(waited)}.`,
      'Fix the cause and start the plan again, or allow more time with the annotation bravo.kudo.dev/deadlines.',
    ].join(' ');
    const end = step === undefined || phase === undefined ? { message } : { message, phase, step: step.name ?? '' };
    return {
      status: endPlan(result.status, end),
      failure: { reason: 'DeadlineExceeded', message },
      hasTransient: false,
    };
  }

  private stall(status: PlanStatus): ExtraCondition | undefined {
    const { plan, pace, clock } = this.input;
    const reason = pace.observe(this.found(status), clock.monotonic());
    if (reason === undefined) return undefined;
    const waits = whatWaits(status);
    const detail = waits === '' ? '' : `: ${cut(waits)}`;
    return {
      reason,
      message: `Plan ${plan} is stalled${detail}. Fix the cause, or start another plan to replace this one.`,
    };
  }

  private found(status: PlanStatus): PassObservation {
    const complete = (status.phases ?? []).flatMap(({ name = '', steps }) =>
      (steps ?? []).filter((step) => step.status === 'COMPLETE').map((step) => `${name}.${step.name ?? ''}`),
    );
    const signature = JSON.stringify([complete, this.waits.map(({ what }) => what), this.failing]);
    const signs = new Set(this.waits.map(({ sign }) => sign));
    const sign = signs.has('alive')
      ? 'alive'
      : this.failing.length > 0
        ? 'failing'
        : signs.has('trouble')
          ? 'trouble'
          : 'waiting';
    return { signature, sign };
  }

  private deadline(phase: string, step: string): Deadline | undefined {
    const { instance, operatorVersion, plan } = this.input;
    return deadlineOf(instance, operatorVersion, { plan, phase, step });
  }

  private elapsedMs(phase: string, step: string): number {
    const known = findByName(findByName(this.input.status.phases, phase)?.steps, step);
    return this.input.pace.elapsedMs(`${phase}.${step}`, parseTime(known?.startedTimestamp), this.moment());
  }

  private planElapsedMs(): number {
    const seen = actedUpon(this.input.instance);
    const started = seen?.uid === this.input.status.uid ? parseTime(seen?.startedAt) : undefined;
    return this.input.pace.elapsedMs('', started, this.moment()) - (this.input.heldMs ?? 0);
  }

  private moment(): Moment {
    const { clock } = this.input;
    return { nowMs: clock.now(), monotonicMs: clock.monotonic() };
  }
}

interface Limit {
  readonly deadline: Deadline;
  readonly leftMs: number;
  readonly phase?: string;
  readonly step?: StepStatus;
}

function* stepsUnderWay(status: PlanStatus): Generator<{ phase: string; step: StepStatus }> {
  for (const phase of status.phases ?? []) {
    for (const step of phase.steps ?? []) {
      if (isRunning(step.status) && step.status !== 'PENDING') yield { phase: phase.name ?? '', step };
    }
  }
}

/** `step nodes: StatefulSet x: 2 of 3 ready`, for every step in progress with a message. */
function whatWaits(status: PlanStatus): string {
  return [...stepsUnderWay(status)]
    .filter(({ step }) => (step.message ?? '') !== '')
    .map(({ step }) => `step ${step.name ?? ''}: ${step.message ?? ''}`)
    .join('; ');
}

/** Where it is, when no step says what it waits for. */
function unfinished(status: PlanStatus, step: StepStatus | undefined): string {
  if (step !== undefined) return 'The step did not finish.';
  const names = [...stepsUnderWay(status)].map(({ phase, step: { name = '' } }) => `step ${name} of phase ${phase}`);
  return names.length === 0 ? 'The plan did not finish.' : `The plan did not finish: ${names.join(', ')}.`;
}

function cut(text: string): string {
  const plain = text.replace(/\.$/, '');
  return plain.length <= MAX_MESSAGE_CHARS ? plain : `${plain.slice(0, MAX_MESSAGE_CHARS - 1)}…`;
}
