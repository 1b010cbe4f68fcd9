import { parseTime } from '@/lib/clock/clock';
import { type StepLine, stepLines, type TreeLine } from './run-tree-lines';

/** When a step ran within its run. */
export interface TimelineBar {
  readonly line: StepLine;
  /** Part of the whole time, 0 to 1; undefined for a step that has not begun, or of which nobody recorded when. */
  readonly bar: { readonly from: number; readonly to: number } | undefined;
  /** Milliseconds after the beginning of the run; undefined with `bar`. */
  readonly afterMs: number | undefined;
}

/** The steps of a run on one line of time, in their order. A step that works ends now. */
export interface Timeline {
  readonly bars: readonly TimelineBar[];
  /** How long the whole line is. */
  readonly totalMs: number;
}

/**
 * When each step of a run ran, from the beginning of the run to its end, or to now.
 *
 * @param begin of the run, ms
 * @param end of the run, or now, ms
 */
export function timelineOf(lines: readonly TreeLine[], begin: number, end: number): Timeline {
  const steps = stepLines(lines);
  const times = steps.map((line) => timesOf(line, end));
  const from = Math.min(begin, ...times.flatMap((time) => time?.from ?? []));
  const to = Math.max(end, ...times.flatMap((time) => time?.to ?? []));
  const totalMs = Math.max(1, to - from);
  const bars = steps.map((line, at): TimelineBar => {
    const time = times[at];
    if (time === undefined) return { line, bar: undefined, afterMs: undefined };
    const bar = { from: (time.from - from) / totalMs, to: (time.to - from) / totalMs };
    return { line, bar, afterMs: time.from - from };
  });
  return { bars, totalMs };
}

/** Recorded times are whole seconds, so a step may seem to end before it began; how long it took is known better. */
function timesOf({ startedAt, finishedAt, seconds, status }: StepLine, end: number) {
  const from = parseTime(startedAt);
  if (from === undefined) return undefined;
  const isWorking = status === 'IN_PROGRESS' || status === 'ERROR';
  const measured = seconds === undefined ? undefined : from + seconds * 1_000;
  const to = measured ?? parseTime(finishedAt) ?? (isWorking ? end : from);
  return { from, to: Math.max(from, to) };
}
