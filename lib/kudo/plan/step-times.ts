import { parseTime } from '@/lib/clock/clock';
import type { PlanStatus, StepStatus } from '@/lib/kudo/types';
import type { Moment } from './run-pace';
import { isTerminal } from './status';

interface Span {
  readonly startMs: number;
  endMs: number | undefined;
  /** Wall time, ms since 1970. */
  readonly beganAtMs: number;
  endedAtMs: number | undefined;
  /** How often the step failed and was tried again. */
  failures: number;
  isFailing: boolean;
}

/** When a step began and ended, ms since 1970, and how often it was tried. */
export interface StepSpan {
  readonly beganAtMs: number;
  /** Undefined while it runs. */
  readonly endedAtMs: number | undefined;
  readonly attempts: number;
}

/**
 * How long the steps of one execution take, from its changing status. Kept in the process: for a step that another process began, the
 * recorded start counts; the time of a step that another process ended is unknown.
 */
export class StepTimes {
  private readonly spans = new Map<string, Span>();

  /** Records which steps have begun and ended at that moment. */
  see(status: PlanStatus, moment: Moment): void {
    for (const phase of status.phases ?? []) {
      for (const step of phase.steps ?? []) this.seeStep(placeOf(phase.name, step.name), step, moment);
    }
  }

  /** Seconds with one decimal; undefined when the beginning or the end of the step was not seen. */
  secondsOf(phase: string | undefined, step: string | undefined): number | undefined {
    const span = this.spans.get(placeOf(phase, step));
    if (span?.endMs === undefined) return undefined;
    return Math.round(Math.max(0, span.endMs - span.startMs) / 100) / 10;
  }

  /** Undefined when this process did not see the step run. */
  spanOf(phase: string | undefined, step: string | undefined): StepSpan | undefined {
    const span = this.spans.get(placeOf(phase, step));
    if (span === undefined) return undefined;
    return { beganAtMs: span.beganAtMs, endedAtMs: span.endedAtMs, attempts: span.failures + 1 };
  }

  private seeStep(place: string, { status, startedTimestamp }: StepStatus, { nowMs, monotonicMs }: Moment): void {
    const known = this.spans.get(place) ?? this.begin(place, status, { startedTimestamp, nowMs, monotonicMs });
    if (known === undefined) return;
    const isFailing = status === 'ERROR';
    if (isFailing && !known.isFailing) known.failures += 1;
    known.isFailing = isFailing;
    if (known.endMs !== undefined || !isTerminal(status)) return;
    known.endMs = monotonicMs;
    known.endedAtMs = nowMs;
  }

  private begin(
    place: string,
    status: StepStatus['status'],
    { startedTimestamp, nowMs, monotonicMs }: Moment & { startedTimestamp: string | undefined },
  ): Span | undefined {
    if (status !== 'IN_PROGRESS' && status !== 'ERROR') return undefined;
    const startedMs = parseTime(startedTimestamp);
    // The recorded start has whole seconds, which would make this step up to a second longer.
    const sinceMs = startedMs === undefined || nowMs - startedMs < 1_000 ? 0 : nowMs - startedMs;
    const times = { startMs: monotonicMs - sinceMs, beganAtMs: nowMs - sinceMs };
    const span: Span = { ...times, endMs: undefined, endedAtMs: undefined, failures: 0, isFailing: false };
    this.spans.set(place, span);
    return span;
  }
}

function placeOf(phase = '', step = ''): string {
  return JSON.stringify([phase, step]);
}
