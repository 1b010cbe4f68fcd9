import { formatTime } from '@/lib/clock/clock';
import type { PlanRun, SteeringEntry } from './plan-run';
import { isWaitMessage } from './steering';
import type { SteeringAuthors, SteeringField } from './steering-author';

/**
 * What people did with a run since its record was written last, from its spec and what the record has: each wish once.
 *
 * @param held why no step begins; undefined when none is held
 * @param authors who wrote what steers it
 */
export function steeringEntries(
  run: PlanRun,
  held: string | undefined,
  nowMs: number,
  authors: SteeringAuthors,
): SteeringEntry[] {
  const { spec = {}, status = {} } = run;
  const known = status.steering ?? [];
  const entry = (event: string, message: string, field: SteeringField): SteeringEntry => {
    const by = authors[field];
    return { at: formatTime(nowMs), event, ...(by === undefined ? {} : { by }), message };
  };
  const last = known.findLast(({ event }) => event === 'Paused' || event === 'Resumed')?.event;
  const entries: SteeringEntry[] = [];
  const isPaused = held !== undefined && !isWaitMessage(held);
  if (isPaused && last !== 'Paused') entries.push(entry('Paused', held, spec.paused === true ? 'paused' : 'stopAfter'));
  if (!isPaused && last === 'Paused' && spec.cancelled !== true) {
    entries.push(entry('Resumed', 'The run goes on.', 'paused'));
  }
  for (const { phase = '', step = '', reason = '' } of spec.skip ?? []) {
    const message = `Step ${step} of phase ${phase} is skipped${reason === '' ? '.' : `: ${reason}`}`;
    if (!known.some((each) => each.event === 'Skipped' && each.message === message)) {
      entries.push(entry('Skipped', message, 'skip'));
    }
  }
  const isCancelled = known.some(({ event }) => event === 'Cancelled');
  if (spec.cancelled === true && !isCancelled) entries.push(entry('Cancelled', 'The run is cancelled.', 'cancelled'));
  return entries;
}
