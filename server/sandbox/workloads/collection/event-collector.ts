import { parseTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import type { Controller, WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/** How long an Event is kept (kube-apiserver --event-ttl). */
const EVENT_TTL_MS = 3_600_000;
const SWEEP_MS = 300_000;

/** Deletes Events an hour after they last happened. One key and one timer serve all of them. */
export function eventCollector(context: WorkloadContext): Controller {
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
