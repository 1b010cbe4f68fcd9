import type { Clock } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';

/**
 * Runs an external call with a deadline: its signal is aborted when the time is over or when `outer` is aborted.
 * Rejects with a TransientError `Timeout`, or with the reason of the outer signal.
 */
export async function withDeadline<T>(
  clock: Clock,
  deadlineMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (outer?.aborted === true) throw outer.reason;
  const controller = new AbortController();
  const timer = clock.after(deadlineMs, () => {
    controller.abort(
      new TransientError(`The Kubernetes API did not answer within ${Math.round(deadlineMs / 1000)} s.`, 'Timeout'),
    );
  });
  const forward = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', forward, { once: true });
  try {
    return await run(controller.signal);
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', forward);
  }
}
