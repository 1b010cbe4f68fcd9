import type { RunRow } from './run-row';

/** The runs that began in one hour. */
export interface HourOfRuns {
  /** Wall milliseconds. */
  readonly fromMs: number;
  readonly done: number;
  readonly failed: number;
  /** Running, queued, paused and cancelled ones. */
  readonly other: number;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** The last 24 hours on the clock with this one, oldest first. */
export function hoursOfRuns(rows: readonly Pick<RunRow, 'beganMs' | 'status'>[], nowMs: number): HourOfRuns[] {
  const lastMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, at) => ({
    fromMs: lastMs - (HOURS - 1 - at) * HOUR_MS,
    done: 0,
    failed: 0,
    other: 0,
  }));
  for (const { beganMs, status } of rows) {
    const hour = hours[HOURS - 1 - Math.floor((lastMs + HOUR_MS - 1 - beganMs) / HOUR_MS)];
    if (hour === undefined) continue;
    hour[status === 'COMPLETE' ? 'done' : status === 'FATAL_ERROR' ? 'failed' : 'other'] += 1;
  }
  return hours;
}

/** `3 runs, 1 failed`. */
export function hourWords({ done, failed, other }: HourOfRuns): string {
  const all = done + failed + other;
  if (all === 0) return 'no run';
  return `${all} ${all === 1 ? 'run' : 'runs'}${failed === 0 ? '' : `, ${failed} failed`}`;
}
