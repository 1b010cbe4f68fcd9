import { parseTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { isTerminating } from '../pods/pod-state';

/** How long an Event is kept (kube-apiserver --event-ttl). */
const EVENT_TTL_MS = 3_600_000;
const SWEEP_MS = 300_000;

/** Deletes Events an hour after they last happened. One key and one timer serve all of them. */
export function eventCollector(context: WorkloadContext): WorkloadController {
  let isPlanned = false;
  return {
    name: 'eventgc',
    *keysFor(event) {
      if (isPlanned || event.resource.resource !== 'events' || event.type !== 'ADDED') return;
      isPlanned = true;
      yield '/sweep';
    },
    reconcile() {
      const nowMs = context.clock.now();
      let oldestMs = Number.POSITIVE_INFINITY;
      for (const event of context.list(resources.events)) {
        const lastMs = parseTime(stringAt(event, 'lastTimestamp') ?? event.metadata.creationTimestamp) ?? nowMs;
        if (lastMs + EVENT_TTL_MS <= nowMs) context.delete(resources.events, event);
        else oldestMs = Math.min(oldestMs, lastMs);
      }
      isPlanned = oldestMs !== Number.POSITIVE_INFINITY;
      if (!isPlanned) return undefined;
      return Math.max(SWEEP_MS, oldestMs + EVENT_TTL_MS - nowMs);
    },
  };
}

/** How long a terminating pod is kept after its node was deleted (Kubernetes podgc quarantine). */
const QUARANTINE_MS = 40_000;

/** Removes terminating pods whose node does not exist: no kubelet would (Kubernetes pkg/controller/podgc). */
export function podCollector(context: WorkloadContext): WorkloadController {
  return {
    name: 'podgc',
    *keysFor({ resource, object }) {
      if (resource.resource === 'pods' && resource.group === '' && isTerminating(object)) yield queueKey(object);
    },
    reconcile: reconcileEach(context, resources.pods, (_, pod) => {
      const endMs = parseTime(pod.metadata.deletionTimestamp);
      const node = stringAt(pod, 'spec', 'nodeName');
      if (endMs === undefined || node === undefined) return undefined;
      if (context.get(resources.nodes, '', node) !== undefined) return undefined;
      const leftMs = endMs + QUARANTINE_MS - context.clock.now();
      if (leftMs > 0) return leftMs;
      context.delete(resources.pods, pod, { gracePeriodSeconds: 0 });
      return undefined;
    }),
  };
}
