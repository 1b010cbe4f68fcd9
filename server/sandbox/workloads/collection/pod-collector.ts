import { stringAt } from '@/lib/json/json';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/** How long a terminating pod of a node that is not there is kept (Kubernetes podgc quarantine). */
const QUARANTINE_MS = 40_000;

/** Removes terminating pods whose node does not exist: no kubelet would (Kubernetes pkg/controller/podgc). */
export function podCollector(context: WorkloadContext): Controller {
  const since = new Map<string, number>();
  return {
    name: 'podgc',
    *keysFor(event) {
      if (event.resource.resource !== 'pods' || event.resource.group !== '') return;
      if (event.type === 'DELETED') since.delete(event.object.metadata.uid ?? '');
      else if (event.object.metadata.deletionTimestamp !== undefined) yield queueKey(event.object);
    },
    reconcile(namespace, name) {
      const pod = context.get(resources.pods, namespace, name);
      const node = stringAt(pod, 'spec', 'nodeName');
      if (pod?.metadata.deletionTimestamp === undefined || node === undefined) return undefined;
      if (context.get(resources.nodes, '', node) !== undefined) return undefined;
      const uid = pod.metadata.uid ?? '';
      const firstMs = since.get(uid) ?? context.clock.monotonic();
      since.set(uid, firstMs);
      const leftMs = firstMs + QUARANTINE_MS - context.clock.monotonic();
      if (leftMs > 0) return leftMs;
      context.delete(resources.pods, pod, { gracePeriodSeconds: 0 });
      return undefined;
    },
  };
}
