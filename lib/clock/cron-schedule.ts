import { Cron } from 'croner';
import { formatTime } from './clock';

/** Kubernetes reads five fields or a nickname (robfig/cron); croner also knows `L`, `W`, `#` and seconds, which are refused. */
const FORM = /^(@\w+|[\w*?/,-]+( +[\w*?/,-]+){4})$/;

/** A parsed `schedule` of a CronJob or a PlanSchedule. */
export type CronSchedule = Cron;

/**
 * Parses a schedule; undefined for a text that is none.
 *
 * @param timeZone an IANA name; UTC when absent. An unknown one gives undefined.
 */
export function parseCron(text: string, timeZone = 'UTC'): CronSchedule | undefined {
  const fields = text.trim().replace(/\s+/g, ' ');
  if (!FORM.test(fields) || /\d[LW]|\bL/i.test(fields)) return undefined;
  try {
    // Without a function nothing is scheduled: time comes from the caller's clock.
    const { timeZone: timezone } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions();
    return new Cron(fields.replaceAll('?', '*'), { timezone, mode: '5-part' });
  } catch {
    return undefined;
  }
}

/** The first time of a schedule after a moment, both in wall milliseconds; undefined for one that never comes. */
export function nextCron(schedule: CronSchedule, afterMs: number): number | undefined {
  return schedule.nextRun(formatTime(afterMs))?.getTime();
}
