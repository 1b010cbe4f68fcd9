import { nextCron, parseCron } from '@/lib/clock/cron-schedule';
import { zonedTime } from '@/lib/clock/zoned-time';
import { nextSlots, type Slots, slotsOf } from '@/lib/kudo/schedules/slots';
import type { ScheduleRow } from './schedule-row';

export const CALENDAR_DAYS = 14;
/** A schedule with more slots on a day is one entry without times. */
const MOST_TIMES = 3;
/** So many schedules are reckoned for two weeks while a person waits. */
export const MOST_IN_CALENDAR = 200;

/** A day of the person's zone; the first one begins now. */
export interface CalendarDay {
  /** `2026-11-24`. */
  readonly date: string;
  /** `Tue 24 Nov`. */
  readonly label: string;
  readonly entries: readonly CalendarEntry[];
}

/** What a schedule starts on a day. */
export interface CalendarEntry {
  readonly row: ScheduleRow;
  /** Wall milliseconds, at most three; in a blackout there is none. */
  readonly slots: readonly number[];
  /** True when there are more than the given ones. */
  readonly hasMore: boolean;
}

/**
 * The slots of the next 14 days by the days of a zone, each day by time. Of more than {@link MOST_IN_CALENDAR} schedules the first
 * ones count.
 */
export function scheduleCalendar(rows: readonly ScheduleRow[], timeZone: string, nowMs: number): CalendarDay[] {
  const counted = rows.slice(0, MOST_IN_CALENDAR).flatMap((row) => {
    const slots = slotsOf(row.schedule.spec);
    return typeof slots === 'string' || row.nextMs === undefined ? [] : [{ row, slots, nextMs: row.nextMs }];
  });
  return windowsOf(timeZone, nowMs).map(([fromMs, toMs]) => {
    const { date, day } = zonedTime(fromMs, timeZone);
    const entries = counted.flatMap((each) => (each.nextMs < toMs ? entryOf(each, fromMs, toMs) : []));
    return { date, label: day, entries: entries.sort(byTime) };
  });
}

interface Counted {
  readonly row: ScheduleRow;
  readonly slots: Slots;
}

/** From now to midnight, and from each midnight to the next one. */
function windowsOf(timeZone: string, nowMs: number): [number, number][] {
  const midnights = parseCron('0 0 * * *', timeZone);
  const windows: [number, number][] = [];
  let fromMs = nowMs;
  for (let day = 0; midnights !== undefined && day < CALENDAR_DAYS; day++) {
    const toMs = nextCron(midnights, fromMs);
    if (toMs === undefined) break;
    windows.push([fromMs, toMs]);
    fromMs = toMs;
  }
  return windows;
}

function entryOf({ row, slots }: Counted, fromMs: number, toMs: number): CalendarEntry[] {
  // A slot at midnight belongs to the day that begins.
  const found = nextSlots(slots, fromMs - 1, MOST_TIMES + 1).filter((ms) => ms < toMs);
  if (found.length === 0) return [];
  return [{ row, slots: found.slice(0, MOST_TIMES), hasMore: found.length > MOST_TIMES }];
}

function byTime(a: CalendarEntry, b: CalendarEntry): number {
  return (a.slots[0] ?? 0) - (b.slots[0] ?? 0) || a.row.key.localeCompare(b.row.key);
}
