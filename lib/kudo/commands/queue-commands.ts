import { nameOf, namespaceOf } from '@/lib/kube/object';
import { type QueueWish, queueAfter } from '@/lib/kudo/queue/queue-wish';
import { formatRunQueue, QUEUE_ANNOTATION } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { bravoLine, type CopiedCommands, type CopiedPatch, kubectlPatch, patchFile } from './copied-commands';

/**
 * The commands that change the queue as a button does. The patch holds the whole queue, so that it has the resourceVersion: it is refused when
 * the Instance has changed since, and a run that has started meanwhile does not wait again.
 *
 * @throws TerminalError `Invalid` when the plan does not wait
 */
export function queueCommands(instance: Instance, wish: QueueWish): CopiedCommands {
  const { resourceVersion = '' } = instance.metadata;
  const annotations = { [QUEUE_ANNOTATION]: formatRunQueue(queueAfter(instance, wish)) };
  const patch: CopiedPatch = {
    resource: 'instances.kudo.dev',
    namespace: namespaceOf(instance),
    name: nameOf(instance),
    patch: { metadata: { resourceVersion, annotations } },
  };
  const place = wish.do === 'move' ? ['--to', String(wish.to)] : [];
  const words = ['run', 'queue', wish.do, '--instance', nameOf(instance), '--plan', wish.plan, ...place];
  return { kubectl: kubectlPatch(patch), bravo: bravoLine(words, instance), yaml: patchFile(patch) };
}
