import { parseTime } from '@/lib/clock/clock';
import type { PlanStatus, StepStatus } from '@/lib/kudo/types';
import type { Moment } from './run-pace';
import { isTerminal } from './status';

interface Span {
  readonly startMs: number;
  endMs: number | undefined;
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

  private seeStep(place: string, { status, startedTimestamp }: StepStatus, { nowMs, monotonicMs }: Moment): void {
    const known = this.spans.get(place);
    if (known === undefined && (status === 'IN_PROGRESS' || status === 'ERROR')) {
      const startedMs = parseTime(startedTimestamp);
      // The recorded start has whole seconds, which would make this step up to a second longer.
      const sinceMs = startedMs === undefined || nowMs - startedMs < 1_000 ? 0 : nowMs - startedMs;
      this.spans.set(place, { startMs: monotonicMs - sinceMs, endMs: undefined });
    }
    if (known !== undefined && known.endMs === undefined && isTerminal(status)) known.endMs = monotonicMs;
  }
}

function placeOf(phase = '', step = ''): string {
  return JSON.stringify([phase, step]);
}
