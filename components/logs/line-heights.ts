import type { LogLine } from '@/lib/logs/log-book';

/** The height of a line that is not wrapped. */
export const LINE_PX = 20;
const OVERSCAN_PX = 400;

/** Where each of many lines is. */
export interface LineHeights {
  readonly count: number;
  readonly total: number;
  /** Pixels above a line. */
  top(index: number): number;
  /** The line at a height. */
  at(px: number): number;
}

/**
 * Heights of lines before they are drawn. A line that is wrapped counts by its characters: a guess that is a little wrong for wide ones, which
 * only moves the start of what is drawn.
 *
 * @param columns characters of one row; undefined when lines are not wrapped
 */
export function lineHeights(lines: readonly LogLine[], columns: number | undefined): LineHeights {
  const count = lines.length;
  if (columns === undefined) {
    const top = (index: number) => index * LINE_PX;
    return { count, total: count * LINE_PX, top, at: (px) => Math.floor(px / LINE_PX) };
  }
  // Rows above each line, and of all lines at the end.
  const rows = new Uint32Array(count + 1);
  let sum = 0;
  for (let index = 0; index < count; index++) {
    rows[index] = sum;
    sum += Math.max(1, Math.ceil((lines[index]?.text.length ?? 0) / columns));
  }
  rows[count] = sum;
  const top = (index: number) => (rows[index] ?? sum) * LINE_PX;
  return { count, total: sum * LINE_PX, top, at: (px) => lastAtOrBefore(rows, px / LINE_PX) };
}

/** The part of the lines that has to be drawn for a view, and the heights of what is above and below. */
export function visibleLines(heights: LineHeights, topPx: number, heightPx: number) {
  const { count, total } = heights;
  const first = Math.max(0, Math.min(count, heights.at(Math.max(0, topPx - OVERSCAN_PX))));
  const last = Math.min(count, heights.at(topPx + heightPx + OVERSCAN_PX) + 1);
  return { first, last, before: heights.top(first), after: Math.max(0, total - heights.top(last)) };
}

function lastAtOrBefore(rows: Uint32Array, row: number): number {
  let [from, to] = [0, rows.length - 1];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if ((rows[middle] ?? 0) <= row) from = middle;
    else to = middle - 1;
  }
  return from;
}
