import { formatTime } from '@/lib/clock/clock';
import type { PlanRun, SteeringEntry } from './plan-run';
import { isWaitMessage } from './steering';

/**
 * What people did with a run since its record was written last, from its spec and what the record has: each wish once.
 *
 * @param held why no step begins; undefined when none is held
 */
export function steeringEntries(run: PlanRun, held: string | undefined, nowMs: number): SteeringEntry[] {
  const { spec = {}, status = {} } = run;
  const known = status.steering ?? [];
  const entry = (event: string, message: string): SteeringEntry => ({ at: formatTime(nowMs), event, message });
  const last = known.findLast(({ event }) => event === 'Paused' || event === 'Resumed')?.event;
  const entries: SteeringEntry[] = [];
  const isPaused = held !== undefined && !isWaitMessage(held);
  if (isPaused && last !== 'Paused') entries.push(entry('Paused', held));
  if (!isPaused && last === 'Paused' && spec.cancelled !== true) {
    entries.push(entry('Resumed', 'The run goes on.'));
  }
  for (const { phase = '', step = '', reason = '' } of spec.skip ?? []) {
    const message = `Step ${step} of phase ${phase} is skipped${reason === '' ? '.' : `: ${reason}`}`;
    if (!known.some((each) => each.event === 'Skipped' && each.message === message)) {
      entries.push(entry('Skipped', message));
    }
  }
  const isCancelled = known.some(({ event }) => event === 'Cancelled');
  if (spec.cancelled === true && !isCancelled) entries.push(entry('Cancelled', 'The run is cancelled.'));
  return entries;
}
