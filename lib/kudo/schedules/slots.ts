import { type CronSchedule, nextCron, parseCron } from '@/lib/clock/cron-schedule';
import { type Blackout, DEFAULT_TIME_ZONE, type PlanScheduleSpec } from './plan-schedule';

/** The times of a schedule. All moments are wall milliseconds since 1970. */
export interface Slots {
  /** The first slot after a moment, in a blackout or not; undefined when there is none any more. */
  after(ms: number): number | undefined;
  /** Whether a moment is in a blackout. */
  isBlackout(ms: number): boolean;
  /** The end of the blackouts that a moment is in; undefined when it is in none. */
  blackoutEnd(ms: number): number | undefined;
}

const MINUTE_MS = 60_000;
/** So many slots in a row are looked at for a number of them outside of blackouts. */
const MOST_LOOKED_AT = 2_000;
/** One after the other blackouts may follow each other without an end. */
const MOST_WINDOWS = 20;
/** Missed slots are counted up to here. */
export const MOST_COUNTED = 1_000;

/** The slots that a spec describes, or one sentence that says what in it is wrong. */
export function slotsOf(spec: PlanScheduleSpec | undefined): Slots | string {
  const { schedule = '', timeZone = DEFAULT_TIME_ZONE, blackouts = [] } = spec ?? {};
  const cron = parseCron(schedule, timeZone);
  if (cron === undefined) return problemOf(schedule, timeZone, 'schedule');
  const windows: Window[] = [];
  for (const blackout of blackouts) {
    const window = windowOf(blackout, timeZone);
    if (typeof window === 'string') return window;
    windows.push(window);
  }
  return {
    after: (ms) => nextCron(cron, ms),
    isBlackout: (ms) => windows.some((window) => startsIn(window, ms)),
    blackoutEnd: (ms) => endOfWindows(windows, ms),
  };
}

/** The next `count` slots outside of blackouts, in their order; fewer when there are no more. */
export function nextSlots(slots: Slots, afterMs: number, count: number): number[] {
  const found: number[] = [];
  let at: number | undefined = afterMs;
  for (let looked = 0; looked < MOST_LOOKED_AT && found.length < count; looked++) {
    at = slots.after(at);
    if (at === undefined) break;
    if (!slots.isBlackout(at)) found.push(at);
  }
  return found;
}

/** Slots that are due. */
export interface DueSlots {
  /** The latest one. */
  readonly lastMs: number;
  /** How many came before it, up to {@link MOST_COUNTED}; those in blackouts do not count. */
  readonly before: number;
}

/** The slots after `fromMs` up to `nowMs`; undefined when there is none. */
export function dueSlots(slots: Slots, fromMs: number, nowMs: number): DueSlots | undefined {
  const first = slots.after(fromMs);
  if (first === undefined || first > nowMs) return undefined;
  let before = 0;
  let last = first;
  for (let looked = 0; looked < MOST_COUNTED; looked++) {
    const next = slots.after(last);
    if (next === undefined || next > nowMs) return { lastMs: last, before };
    if (!slots.isBlackout(last)) before += 1;
    last = next;
  }
  return { lastMs: latestSlot(slots, last, nowMs), before };
}

/** The last slot up to now of a schedule that has many: looked for in longer and longer times before now. */
function latestSlot(slots: Slots, knownMs: number, nowMs: number): number {
  for (let windowMs = MINUTE_MS; nowMs - windowMs > knownMs; windowMs *= 8) {
    let found: number | undefined;
    let at = slots.after(nowMs - windowMs);
    while (at !== undefined && at <= nowMs) {
      found = at;
      at = slots.after(at);
    }
    if (found !== undefined) return found;
  }
  return knownMs;
}

interface Window {
  readonly start: CronSchedule;
  readonly lengthMs: number;
}

function windowOf({ start = '', durationMinutes = 0, timeZone }: Blackout, zone: string): Window | string {
  const cron = parseCron(start, timeZone ?? zone);
  if (cron === undefined) return problemOf(start, timeZone ?? zone, 'blackout');
  return { start: cron, lengthMs: durationMinutes * MINUTE_MS };
}

function endOfWindows(windows: readonly Window[], ms: number): number | undefined {
  let end: number | undefined;
  for (let count = 0; count < MOST_WINDOWS; count++) {
    const longer = windows.map((window) => endOfWindow(window, end ?? ms)).filter((each) => each !== undefined);
    if (longer.length === 0) return end;
    end = Math.max(...longer);
  }
  return end;
}

/** One look at the expression; the end of a window takes more. */
function startsIn({ start, lengthMs }: Window, ms: number): boolean {
  const at = nextCron(start, ms - lengthMs);
  return at !== undefined && at <= ms;
}

/** A window holds its first moment and not its end. */
function endOfWindow({ start, lengthMs }: Window, ms: number): number | undefined {
  let began: number | undefined;
  let at = nextCron(start, ms - lengthMs);
  // The latest start is the one that lasts longest.
  for (let count = 0; at !== undefined && at <= ms && count < MOST_LOOKED_AT; count++) {
    began = at;
    at = nextCron(start, at);
  }
  return began === undefined ? undefined : began + lengthMs;
}

function problemOf(expression: string, timeZone: string, what: 'schedule' | 'blackout'): string {
  if (parseCron('@daily', timeZone) === undefined) {
    return `The time zone "${timeZone}" does not exist; write an IANA name such as Europe/Berlin.`;
  }
  const field = what === 'schedule' ? 'schedule' : 'start of a blackout';
  return `The ${field} "${expression}" is no cron expression; write five fields such as "30 2 * * *".`;
}
