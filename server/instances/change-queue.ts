import { TerminalError } from '@/lib/errors/errors';
import { type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { type QueueWish, queueAfter } from '@/lib/kudo/queue/queue-wish';
import { formatRunQueue, QUEUE_ANNOTATION } from '@/lib/kudo/queue/run-queue';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import { type InstanceKey, readInstance } from './read-instance';

/**
 * Moves or removes a run that waits, in the queue as it is stored now: the controller takes runs off it meanwhile.
 *
 * @throws TerminalError `NotFound`, or `Invalid` when the plan does not wait
 */
export async function changeQueue(api: Api, key: InstanceKey, wish: QueueWish): Promise<void> {
  await retryOnConflict(async () => {
    const { instance } = await readInstance(api, key);
    const { resourceVersion = '' } = instance.metadata;
    const annotations = { [QUEUE_ANNOTATION]: formatRunQueue(queueAfter(instance, wish)) };
    await api.patch({ ...topics.instances, ...key }, 'merge', { metadata: { resourceVersion, annotations } });
  });
}

/** Reads the body of a request about the queue. @throws TerminalError `BadRequest` */
export function parseQueueWish(body: JsonValue | undefined): QueueWish {
  const verb = stringAt(body, 'do');
  const plan = stringAt(body, 'plan') ?? '';
  const to = numberAt(body, 'to') ?? 0;
  if (plan === '') throw new TerminalError('`plan` must name the plan that waits.', 'BadRequest');
  if (verb === 'remove') return { do: verb, plan };
  if (verb !== 'move') throw new TerminalError('`do` must be move or remove.', 'BadRequest');
  if (!Number.isInteger(to) || to < 1) throw new TerminalError('`to` must be a place, from 1.', 'BadRequest');
  return { do: verb, plan, to };
}
