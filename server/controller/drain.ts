import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import type { Log } from '@/server/log/log';
import type { Leadership } from './leadership';

/** How long running reconciles may take to end after SIGTERM; Kubernetes kills a pod after 30 s by default. */
export const DRAIN_WITHIN_MS = 10_000;
/** Without the right to write, a reconcile ends with its next request. */
const LATE_MS = 2_000;

const REASON = 'Draining';

/** Passes between two steps of a plan: yields to more urgent work. @throws TransientError when this controller is being stopped */
export async function betweenSteps(isStopping: () => boolean, yieldToQueue: () => Promise<void>): Promise<void> {
  const check = () => {
    if (isStopping()) throw new TransientError('This controller is being stopped; the next one continues.', REASON);
  };
  check();
  await yieldToQueue();
  check();
}

/** True when a reconcile ended early because its controller is being stopped. */
export function isDraining(error: unknown): boolean {
  return error instanceof TransientError && error.reason === REASON;
}

export interface Ending {
  /** What is ending: nothing new begins any more. */
  readonly work: Promise<unknown>;
  /** Called when the time is over: every write that has not been sent is refused from then on. */
  refuseWrites(): void;
}

/** Waits for work that is ending, for a bounded time. Resolves with whether it has ended. */
export async function workEnds(clock: Clock, { work, refuseWrites }: Ending): Promise<boolean> {
  if (await endsWithin(clock, work, DRAIN_WITHIN_MS)) return true;
  refuseWrites();
  return endsWithin(clock, work, LATE_MS);
}

/**
 * Releases the lease when the work has ended, so that the next controller begins at once. Work that does not end in time keeps the
 * lease: a request that is still on its way must not meet those of a new holder, which waits until the lease expires.
 */
export async function drainLease(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { lease, ...ending }: Ending & { readonly lease: Pick<Leadership, 'stop' | 'abandon'> },
): Promise<void> {
  if (await workEnds(clock, ending)) return lease.stop();
  log.warn('controller.not-drained', { consequence: 'the lease is not released; it expires by itself' });
  await lease.abandon();
}

/** False when it takes longer. A failure is an end too. */
async function endsWithin(clock: Clock, work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const stop = new AbortController();
  const done = work.then(
    () => true,
    () => true,
  );
  const late = sleep(clock, withinMs, stop.signal).then(
    () => false,
    () => false,
  );
  const isOver = await Promise.race([done, late]);
  stop.abort(new Error('The work has ended.'));
  return isOver;
}
