/** Nothing for this long means that the line is dead, whatever the socket says (the server ticks every 15 s). */
const SILENCE_MS = 40_000;
/** A tick is late by then; who looks at the page again is not left with a line that may be dead. */
const LATE_TICK_MS = 20_000;
/** A server that answers sends its first frame at once. */
const UNANSWERED_MS = 5_000;
/** A gap between two checks that no busy page has: the computer slept. */
const SLEPT_MS = 10_000;

/** How often the line is checked. */
export const LINE_CHECK_MS = 1_000;

/**
 * `dead`: nothing comes any more. `doubtful`: open the line again at once, and say nothing unless that fails. `unanswered`: what was opened
 * may still answer, and what the page shows is not known to be current.
 */
export type LineState = 'good' | 'doubtful' | 'unanswered' | 'dead';

/**
 * Whether the event stream is still good. Times are wall time in milliseconds: timers of a browser do not count the time in which the
 * computer slept, and a socket does not notice that its other end has gone meanwhile.
 *
 * @param heardAtMs when the last frame came, or the stream was opened
 * @param checkedAtMs when this was asked the last time
 * @param isAnswered a frame came since the stream was opened
 * @param isVisible timers of hidden pages are late although nobody slept
 */
export function checkLine(line: {
  readonly nowMs: number;
  readonly heardAtMs: number;
  readonly checkedAtMs: number;
  readonly isAnswered: boolean;
  readonly isVisible: boolean;
}): LineState {
  const silentMs = line.nowMs - line.heardAtMs;
  if (silentMs > SILENCE_MS) return 'dead';
  if (line.isVisible && hasSlept(line)) return 'doubtful';
  return !line.isAnswered && silentMs > UNANSWERED_MS ? 'unanswered' : 'good';
}

/** True when the computer slept between two checks of a visible page. */
export function hasSlept({ nowMs, checkedAtMs }: { readonly nowMs: number; readonly checkedAtMs: number }): boolean {
  return nowMs - checkedAtMs > SLEPT_MS;
}

/** The same for a page that becomes visible again. */
export function checkShownLine({
  nowMs,
  heardAtMs,
}: {
  readonly nowMs: number;
  readonly heardAtMs: number;
}): LineState {
  if (nowMs - heardAtMs > SILENCE_MS) return 'dead';
  return nowMs - heardAtMs > LATE_TICK_MS ? 'doubtful' : 'good';
}
