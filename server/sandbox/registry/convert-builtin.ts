import { cloneJson } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/**
 * Events are served in two shapes: core/v1 and events.k8s.io/v1. Other kinds only change their apiVersion (a
 * HorizontalPodAutoscaler too, whose metrics are not converted).
 */
export function convertBuiltin(object: KubeObject, apiVersion: string): KubeObject {
  const copy = cloneJson(object);
  copy.apiVersion = apiVersion;
  if (copy.kind === 'Event') return apiVersion === 'v1' ? toCoreEvent(copy) : toNewEvent(copy);
  return copy;
}

const EVENT_NAMES = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const;

function toNewEvent(event: KubeObject): KubeObject {
  for (const [core, renamed] of EVENT_NAMES) rename(event, core, renamed);
  if (event.reportingController === '') delete event.reportingController;
  if (event.reportingInstance === '') delete event.reportingInstance;
  return event;
}

function toCoreEvent(event: KubeObject): KubeObject {
  for (const [core, renamed] of EVENT_NAMES) rename(event, renamed, core);
  event.involvedObject ??= {};
  event.source ??= {};
  event.firstTimestamp ??= null;
  event.lastTimestamp ??= null;
  event.reportingComponent ??= '';
  event.reportingInstance ??= '';
  return event;
}

function rename(object: KubeObject, from: string, to: string): void {
  if (object[from] === undefined) return;
  object[to] = object[from];
  delete object[from];
}
