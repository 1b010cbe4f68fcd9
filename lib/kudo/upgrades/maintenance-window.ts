import { nextCron, parseCron } from '@/lib/clock/cron-schedule';
import type { MaintenanceWindow } from './operator-upgrade';

const MINUTE_MS = 60_000;

/** Whether upgrades may start at a moment. `opensAtMs`: when they may next; undefined when never. Moments are wall milliseconds. */
export type WindowState =
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly opensAtMs: number | undefined };

/** The state of a window; no window is always open. A text is one sentence that says what in it is wrong. */
export function windowState(window: MaintenanceWindow | undefined, nowMs: number): WindowState | string {
  if (window === undefined) return { isOpen: true };
  const { start = '', durationMinutes = 0, timeZone = 'UTC' } = window;
  const cron = parseCron(start, timeZone);
  if (cron === undefined) {
    return parseCron('@daily', timeZone) === undefined
      ? `The time zone "${timeZone}" does not exist; write an IANA name such as Europe/Berlin.`
      : `The start of the window "${start}" is no cron expression; write five fields such as "0 22 * * 6".`;
  }
  const began = nextCron(cron, nowMs - durationMinutes * MINUTE_MS);
  if (began !== undefined && began <= nowMs) return { isOpen: true };
  return { isOpen: false, opensAtMs: nextCron(cron, nowMs) };
}
