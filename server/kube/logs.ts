import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import type { LogOptions, Target } from './api';
import type { Caller } from './caller';
import { withDeadline } from './deadline';

/**
 * The log of a container as the bytes that the API sends. Opening has the deadline of a read; a followed log then lasts
 * until the server ends it or the signal is aborted.
 */
export async function* podLog(caller: Caller, target: Target, options: LogOptions): AsyncGenerator<Uint8Array> {
  const query = new URLSearchParams();
  if (options.container !== undefined) query.set('container', options.container);
  if (options.follow === true) query.set('follow', 'true');
  if (options.previous === true) query.set('previous', 'true');
  if (options.timestamps === true) query.set('timestamps', 'true');
  if (options.tailLines !== undefined) query.set('tailLines', String(options.tailLines));
  const path = `${formatResourcePath({ ...target, subresource: 'log' })}?${query.toString()}`;
  const controller = new AbortController();
  const forward = () => controller.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', forward, { once: true });
  try {
    const response = await withDeadline(caller.clock, limits.readDeadlineMs, options.signal, async (opening) => {
      const giveUp = () => controller.abort(opening.reason);
      opening.addEventListener('abort', giveUp, { once: true });
      try {
        return await caller.open({ method: 'GET', path, signal: controller.signal });
      } finally {
        opening.removeEventListener('abort', giveUp);
      }
    });
    yield* response.body;
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw caller.connectionError(error);
  } finally {
    options.signal?.removeEventListener('abort', forward);
    controller.abort();
  }
}
