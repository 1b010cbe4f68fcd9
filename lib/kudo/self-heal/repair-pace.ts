/**
 * How often one object may be put back. The first time at once; then at most once in 10 s; and each time that it was
 * changed again soon after, half as often as before, down to once in ten minutes. Quiet for three such spans, and it starts
 * over. Times are milliseconds of a clock that never goes back.
 */
export interface RepairPace {
  readonly lastMs: number;
  readonly spanMs: number;
  /** Repairs without quiet between them. */
  readonly inARow: number;
}

const FIRST_SPAN_MS = 10_000;
const LONGEST_SPAN_MS = 600_000;
const QUIET_SPANS = 3;

/** How long to wait before the object may be written; 0 when it may be now. */
export function repairDelayMs(pace: RepairPace | undefined, nowMs: number): number {
  return pace === undefined ? 0 : Math.max(0, pace.lastMs + pace.spanMs - nowMs);
}

/** The pace after a write now. */
export function afterRepair(pace: RepairPace | undefined, nowMs: number): RepairPace {
  const isQuiet = pace === undefined || nowMs - pace.lastMs > pace.spanMs * QUIET_SPANS;
  if (isQuiet) return { lastMs: nowMs, spanMs: FIRST_SPAN_MS, inARow: 1 };
  return { lastMs: nowMs, spanMs: Math.min(pace.spanMs * 2, LONGEST_SPAN_MS), inARow: pace.inARow + 1 };
}
