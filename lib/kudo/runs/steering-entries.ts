import { formatTime } from '@/lib/clock/clock';
import type { PlanRun, SteeringEntry } from './plan-run';
import { isWaitMessage } from './steering';
import type { SteeringAuthors, SteeringField } from './steering-author';

/** What is recorded of a phase after which a run is to be held; an empty one takes that back. */
export function stopAfterMessage(phase: string): string {
  return phase === '' ? 'The run is to go to its end.' : `The run is to stop after phase ${phase}.`;
}

/**
 * What people did with a run since its record was written last, from its spec and what the record has: each wish once.
 *
 * @param run with the entries of its beginning
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
  const stop = newStop(run, [...known, ...entries]);
  if (stop !== undefined) entries.push(entry('StopAfter', stop, 'stopAfter'));
  const isCancelled = known.some(({ event }) => event === 'Cancelled');
  if (spec.cancelled === true && !isCancelled) entries.push(entry('Cancelled', 'The run is cancelled.', 'cancelled'));
  return entries;
}

/** The message about a phase to stop after that no entry has; undefined when they say it. A run that was resumed has no stop that it came to. */
function newStop({ spec = {} }: PlanRun, known: readonly SteeringEntry[]): string | undefined {
  const { stopAfter = '' } = spec;
  const at = known.findLastIndex(({ event }) => event === 'StopAfter');
  const message = stopAfterMessage(stopAfter);
  if (known[at]?.message === message) return undefined;
  const isTakenBack = at === -1 || known.slice(at).some(({ event }) => event === 'Resumed');
  return stopAfter === '' && isTakenBack ? undefined : message;
}
