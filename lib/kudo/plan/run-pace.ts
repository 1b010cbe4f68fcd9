/** The two clocks of one moment: wall time may step, monotonic time only grows (and means nothing in another process). */
export interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** What one reconcile of a running plan found. */
export interface PassObservation {
  /** Equal while nothing changes: which steps are complete, and what the others wait for. */
  readonly signature: string;
  /**
   * - `failing`: a task was refused or failed, and is retried.
   * - `trouble`: an object that the plan waits for has failed, or its pods cannot run.
   * - `waiting`: the plan waits, and no object says why.
   * - `alive`: an object that the plan waits for is visibly at work (a Job with pods, a child's plan).
   */
  readonly sign: 'failing' | 'trouble' | 'waiting' | 'alive';
}

/** After so many failures in a row, and at least that long, the plan is stalled. */
const FAILING_LOOKS = 5;
const FAILING_MS = 30_000;
/** After trouble without a change for that long the plan is stalled. */
const TROUBLE_MS = 60_000;
/** After waiting without any sign of progress for that long the plan is stalled. */
const QUIET_MS = 15 * 60_000;

/**
 * The pace of one execution, kept in the process: how long steps take, how often a task was refused, and whether anything changes.
 * The recorded start of a step is used once, then the monotonic clock: setting the wall clock while the process runs changes
 * nothing, and a wall clock that was set back before a restart makes a deadline later, never earlier.
 */
export class RunPace {
  private readonly starts = new Map<string, { readonly baseMs: number; readonly monotonicMs: number }>();
  private readonly refusals = new Map<string, { count: number; readonly sinceMs: number }>();
  private still:
    | { signature: string; sinceMs: number; failing: number; troubledSinceMs: number | undefined }
    | undefined;
  private inherited: string | undefined;

  /** Milliseconds since a step (or the plan) began, by its recorded start as far as there is one. */
  elapsedMs(place: string, startedMs: number | undefined, moment: Moment): number {
    let start = this.starts.get(place);
    if (start === undefined) {
      const baseMs = startedMs === undefined ? 0 : Math.max(0, moment.nowMs - startedMs);
      start = { baseMs, monotonicMs: moment.monotonicMs };
      this.starts.set(place, start);
    }
    return start.baseMs + (moment.monotonicMs - start.monotonicMs);
  }

  /** Records a refusal that a retry cannot change; returns how often it happened, and since when. */
  refused(place: string, monotonicMs: number): { readonly count: number; readonly forMs: number } {
    const known = this.refusals.get(place) ?? { count: 0, sinceMs: monotonicMs };
    known.count += 1;
    this.refusals.set(place, known);
    return { count: known.count, forMs: monotonicMs - known.sinceMs };
  }

  /** Records that a task was not refused. */
  accepted(place: string): void {
    this.refusals.delete(place);
  }

  /** The reason that an earlier process found; it counts until something changes. */
  inherit(reason: string | undefined): void {
    this.inherited = reason;
  }

  /** Why the plan is stalled (`RepeatedErrors`, `ResourceNotReady`, `ProgressDeadlineExceeded`), or undefined while it makes progress. */
  observe(found: PassObservation, monotonicMs: number): string | undefined {
    if (this.still === undefined) this.still = freshStill(found, monotonicMs);
    else if (this.still.signature !== found.signature) {
      this.still = freshStill(found, monotonicMs);
      this.inherited = undefined;
    }
    const { still } = this;
    still.failing = found.sign === 'failing' ? still.failing + 1 : 0;
    const isTroubled = found.sign === 'failing' || found.sign === 'trouble';
    still.troubledSinceMs = isTroubled ? (still.troubledSinceMs ?? monotonicMs) : undefined;
    if (found.sign === 'alive') {
      still.sinceMs = monotonicMs;
      this.inherited = undefined;
      return undefined;
    }
    return stallReason(found.sign, still, monotonicMs) ?? this.inherited;
  }
}

function freshStill(found: PassObservation, monotonicMs: number) {
  return { signature: found.signature, sinceMs: monotonicMs, failing: 0, troubledSinceMs: undefined };
}

function stallReason(
  sign: PassObservation['sign'],
  still: { sinceMs: number; failing: number; troubledSinceMs: number | undefined },
  monotonicMs: number,
): string | undefined {
  const troubledMs = still.troubledSinceMs === undefined ? 0 : monotonicMs - still.troubledSinceMs;
  if (still.failing >= FAILING_LOOKS && troubledMs >= FAILING_MS) return 'RepeatedErrors';
  if (sign === 'trouble' && troubledMs >= TROUBLE_MS) return 'ResourceNotReady';
  return monotonicMs - still.sinceMs >= QUIET_MS ? 'ProgressDeadlineExceeded' : undefined;
}
