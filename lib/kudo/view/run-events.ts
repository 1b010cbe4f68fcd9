import { parseTime } from '@/lib/clock/clock';
import type { EventLine } from './instance-events';
import type { RunRow } from './run-row';

/** Times are whole seconds, and the end of a run is announced after it was written. */
const BEFORE_MS = 1_000;
const AFTER_MS = 5_000;

/** The events of the time of a run. */
export function eventsOfRun(events: readonly EventLine[], { beganMs, finishedAt, isOver }: RunRow): EventLine[] {
  const endMs = isOver ? (parseTime(finishedAt) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  return events.filter(({ at }) => {
    const atMs = parseTime(at);
    return atMs !== undefined && atMs >= beganMs - BEFORE_MS && atMs <= endMs + AFTER_MS;
  });
}
