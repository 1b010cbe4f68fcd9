import { parseTime } from '@/lib/clock/clock';

/** One line of the log of one container. */
export interface LogLine {
  /** Counts up in the order in which lines arrived; names the line. */
  readonly key: number;
  /** Which of the sources of the book. */
  readonly source: number;
  /** As the kubelet says it (RFC 3339); empty for a line without. */
  readonly time: string;
  readonly text: string;
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

/**
 * The lines of several logs in one order, by time. Text arrives in pieces of any length; whole lines become visible with `draw`, so that a page
 * draws many at once. The oldest lines are dropped beyond the limit.
 */
export class LogBook {
  /** What is visible, the oldest first. A new array after each change. */
  lines: readonly LogLine[] = [];
  /** How many lines were dropped. */
  dropped = 0;
  private readonly rests: string[] = [];
  private waiting: LogLine[] = [];
  private made = 0;

  /** @param most lines that are kept @param untilMs lines after this time are left out */
  constructor(
    private readonly most: number,
    private readonly untilMs = Number.POSITIVE_INFINITY,
  ) {}

  get hasNew(): boolean {
    return this.waiting.length > 0;
  }

  add(source: number, text: string): void {
    const pieces = ((this.rests[source] ?? '') + text).split('\n');
    this.rests[source] = pieces.pop() ?? '';
    for (const piece of pieces) this.take(source, piece);
  }

  /** A log has ended: what has no line feed is a line too. */
  end(source: number): void {
    const rest = this.rests[source] ?? '';
    this.rests[source] = '';
    if (rest !== '') this.take(source, rest);
  }

  /** Makes what has arrived visible. */
  draw(): readonly LogLine[] {
    const { waiting } = this;
    if (waiting.length === 0) return this.lines;
    this.waiting = [];
    // Sorting is stable: lines without a time, or with the same one, stay as they came. Most logs come in order.
    if (!isSorted(waiting)) waiting.sort(byTime);
    const first = waiting[0];
    const at = first === undefined ? this.lines.length : firstAfter(this.lines, first.time);
    const after = this.lines.slice(at);
    const joined = [
      ...this.lines.slice(0, at),
      ...(after.length === 0 ? waiting : [...after, ...waiting].sort(byTime)),
    ];
    const surplus = Math.max(0, joined.length - this.most);
    this.dropped += surplus;
    this.lines = surplus === 0 ? joined : joined.slice(surplus);
    return this.lines;
  }

  private take(source: number, line: string): void {
    const time = STAMP.exec(line)?.[1] ?? '';
    if (time !== '' && (parseTime(time) ?? 0) > this.untilMs) return;
    const text = time === '' ? line : line.slice(time.length).replace(/^ /, '');
    this.waiting.push({ key: this.made++, source, time, text: text.endsWith('\r') ? text.slice(0, -1) : text });
    // A burst does not fill the memory between two drawings.
    if (this.waiting.length > this.most * 2) this.waiting = this.waiting.slice(-this.most);
  }
}

/** Texts of the kubelet have nine decimals and the same zone, so that they compare as they are. */
function byTime(a: LogLine, b: LogLine): number {
  if (a.time === '' || b.time === '' || a.time === b.time) return a.key - b.key;
  return a.time < b.time ? -1 : 1;
}

function isSorted(lines: readonly LogLine[]): boolean {
  return lines.every((line, at) => {
    const before = lines[at - 1];
    return before === undefined || byTime(before, line) <= 0;
  });
}

/** Where the lines begin that are later than a time; the end for a line without one. */
function firstAfter(lines: readonly LogLine[], time: string): number {
  if (time === '') return lines.length;
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.time ?? '') <= time) from = middle + 1;
    else to = middle;
  }
  return from;
}
