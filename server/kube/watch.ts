import type { Timer } from '@/lib/clock/clock';
import { ConflictError, TransientError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import { type Random, randomInteger } from '@/lib/random/random';
import type { ListRequest, Target, WatchEvent } from './api';
import type { Caller } from './caller';
import { errorOfResponse } from './errors';
import { splitLines } from './line-splitter';
import { selectorQuery } from './list';

/**
 * One watch request from a resourceVersion on. It asks for bookmarks and for an end after 50 to 60 s, and is cut by
 * the client after 70 s whatever the traffic, so that a dead connection is not mistaken for a quiet cluster; after 15 s
 * if the server has not accepted it.
 *
 * The first event is a BOOKMARK of the given version, when the server has accepted the watch.
 * Ends without an error when the server closes it or its time is over. Throws the error of an ERROR event (410 is a
 * ConflictError `Expired`), a ConflictError `MalformedEvent` for a line that is not an event (list again), the table of
 * server/kube/errors for a refused request, and TransientError for a broken connection.
 */
export async function* openWatch(
  caller: Caller,
  target: Target,
  options: ListRequest & { resourceVersion: string },
): AsyncGenerator<WatchEvent> {
  const controller = new AbortController();
  const over = Symbol('over');
  const forward = () => controller.abort(options.signal?.reason);
  if (options.signal?.aborted === true) throw options.signal.reason;
  options.signal?.addEventListener('abort', forward, { once: true });
  const timer = caller.clock.after(limits.watchLifeMs + limits.watchLifeJitterMs, () => controller.abort(over));
  let answer: Timer | undefined;
  try {
    const response = await caller.open({
      method: 'GET',
      path: watchPath(target, options, caller.random),
      headers: { accept: 'application/json' },
      signal: controller.signal,
      // Counted from here, not from the wait that a Retry-After asked for.
      beforeSend: () => {
        answer = caller.clock.after(limits.readDeadlineMs, () => controller.abort(timeoutError()));
      },
    });
    answer?.cancel();
    // Tells the caller that the watch is open: a bookmark means that nothing has changed since that version.
    yield { type: 'BOOKMARK', object: bookmarkOf(options.resourceVersion) };
    for await (const line of splitLines(response.body, limits.watchEventBytes)) {
      yield readEvent(line);
    }
  } catch (error) {
    if (controller.signal.aborted) {
      if (controller.signal.reason === over) return;
      throw controller.signal.reason;
    }
    if (error instanceof RangeError) throw malformed(error.message);
    throw caller.connectionError(error);
  } finally {
    timer.cancel();
    answer?.cancel();
    options.signal?.removeEventListener('abort', forward);
    controller.abort(over);
  }
}

function timeoutError(): TransientError {
  return new TransientError('The Kubernetes API did not accept a watch.', 'Timeout');
}

function bookmarkOf(resourceVersion: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Bookmark', metadata: { resourceVersion } };
}

function watchPath(target: Target, options: ListRequest & { resourceVersion: string }, random: Random): string {
  const { name, ...collection } = target;
  const query = selectorQuery(options);
  if (name !== undefined) query.set('fieldSelector', `metadata.name=${name}`);
  const jitterSeconds = randomInteger(random, limits.watchLifeJitterMs / 1000 + 1);
  query.set('watch', '1');
  query.set('allowWatchBookmarks', 'true');
  query.set('resourceVersion', options.resourceVersion);
  query.set('timeoutSeconds', String(limits.watchLifeMs / 1000 - jitterSeconds));
  return `${formatResourcePath(collection)}?${query.toString()}`;
}

function readEvent(line: string): WatchEvent {
  const event = parseEvent(line);
  const { type, object } = event;
  if (type === 'ERROR') throw errorOfResponse(500, JSON.stringify(object ?? null));
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') {
    throw malformed('A watch event has an unknown type.');
  }
  if (!isKubeObject(object)) throw malformed('A watch event has no object.');
  return { type, object };
}

function parseEvent(line: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    throw malformed('A watch event is not valid JSON.');
  }
  if (!isJsonObject(value)) throw malformed('A watch event is not an object.');
  return value;
}

function malformed(message: string): ConflictError {
  return new ConflictError(message, 'MalformedEvent');
}
