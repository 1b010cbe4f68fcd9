import { parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent } from '../../api';
import { queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { hasEveryLabel } from '../pods/label-selector';
import { conditionOf, isFinished, isReady, isTerminating } from '../pods/pod-state';

/** A port of a Service on a pod. */
export type BackendPort = { readonly name: string; readonly port: number; readonly protocol: string };

/** One pod behind a Service. */
export interface Backend {
  readonly ip: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly ports: readonly BackendPort[];
  /** What Endpoints and EndpointSlices say of the pod in the same words: host name, node, reference. */
  readonly place: JsonObject;
  readonly readyChangedMs: number | undefined;
}

/** Which Services a change concerns: the Service itself, or those that select the pod now or did before. */
export function* servicesToReconcile(
  context: WorkloadContext,
  event: ObjectEvent,
  before: KubeObject | undefined,
): Generator<string> {
  const { resource, group } = event.resource;
  if (group !== '') return;
  if (resource === 'services') yield queueKey(event.object);
  if (resource !== 'pods') return;
  for (const service of context.list(resources.services, namespaceOf(event.object))) {
    const selector = serviceSelector(service);
    if (selector === undefined) continue;
    const chosen = hasEveryLabel(selector, event.object.metadata.labels);
    if (chosen || (before !== undefined && hasEveryLabel(selector, before.metadata.labels))) yield queueKey(service);
  }
}

/** The selector, undefined for a Service without one (whose endpoints another client manages). */
export function serviceSelector(service: KubeObject): JsonValue | undefined {
  const selector = objectAt(service, 'spec').selector;
  if (selector === undefined || selector === null || stringAt(service, 'spec', 'type') === 'ExternalName')
    return undefined;
  return Object.keys(objectAt(selector)).length === 0 ? undefined : selector;
}

/** The pods of a Service that have an address, in the order of their names. */
export function backendsOf(context: WorkloadContext, service: KubeObject): Backend[] {
  const selector = serviceSelector(service);
  const unready = objectAt(service, 'spec').publishNotReadyAddresses === true;
  const found: Backend[] = [];
  for (const pod of context.list(resources.pods, namespaceOf(service))) {
    const ip = stringAt(pod, 'status', 'podIP');
    if (ip === undefined || isFinished(pod) || !hasEveryLabel(selector, pod.metadata.labels)) continue;
    const serving = isReady(pod);
    const terminating = isTerminating(pod);
    const readyChangedMs = parseTime(stringAt(conditionOf(pod, 'Ready'), 'lastTransitionTime'));
    const ready = unready || (serving && !terminating);
    const [ports, place] = [portsOf(service, pod), placeOf(service, pod)];
    found.push({ ip, ready, serving, terminating, ports, place, readyChangedMs });
  }
  return found;
}

function portsOf(service: KubeObject, pod: KubeObject): BackendPort[] {
  return arrayAt(service, 'spec', 'ports').flatMap((each) => {
    const port = targetPort(pod, each);
    if (port === undefined) return [];
    return { name: stringAt(each, 'name') ?? '', port, protocol: stringAt(each, 'protocol') ?? 'TCP' };
  });
}

function placeOf(service: KubeObject, pod: KubeObject): JsonObject {
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = stringAt(pod, 'spec', 'hostname');
  const named = hostname !== undefined && stringAt(pod, 'spec', 'subdomain') === nameOf(service);
  return {
    ...(named ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: nameOf(pod), uid: pod.metadata.uid ?? '' },
  };
}

/** The number of a port on a pod: a number, or the named port of one of its containers; undefined when it has none. */
function targetPort(pod: KubeObject, port: JsonValue): number | undefined {
  const target = objectAt(port).targetPort ?? objectAt(port).port;
  if (typeof target === 'number') return target;
  for (const container of arrayAt(pod, 'spec', 'containers')) {
    for (const each of arrayAt(container, 'ports')) {
      if (stringAt(each, 'name') === target) return numberAt(each, 'containerPort');
    }
  }
  return undefined;
}
