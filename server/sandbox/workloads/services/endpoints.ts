import { formatTime, parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, jsonEqual, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Controller, WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { conditionOf, createdMs } from '../pods/pod-state';
import { type Backend, backendsOf, selectorOf, servicesToReconcile, targetPort } from './service-pods';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const MANAGED = 'endpoints.kubernetes.io/managed-by';

/** Keeps the Endpoints of Services with a selector (Kubernetes pkg/controller/endpoint). */
export function endpointsController(context: WorkloadContext): Controller {
  return {
    name: 'endpoints',
    keysFor: (event, before) => servicesToReconcile(context, event, before),
    reconcile(namespace, name) {
      const service = context.get(resources.services, namespace, name);
      const present = context.get(resources.endpoints, namespace, name);
      if (service === undefined) {
        const ours = present?.metadata.labels?.[MANAGED] === 'endpoint-controller';
        if (present !== undefined && ours) context.delete(resources.endpoints, present);
        return undefined;
      }
      if (selectorOf(service) !== undefined) write(context, service, present);
      return undefined;
    },
  };
}

function write(context: WorkloadContext, service: KubeObject, present: KubeObject | undefined): void {
  const backends = backendsOf(context, service);
  const subsets = subsetsOf(service, backends);
  const labels: { [key: string]: string } = { ...service.metadata.labels, [MANAGED]: 'endpoint-controller' };
  if (stringAt(service, 'spec', 'clusterIP') === 'None') labels['service.kubernetes.io/headless'] = '';
  if (present === undefined) {
    context.create(resources.endpoints, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: nameOf(service),
        namespace: namespaceOf(service),
        labels,
        annotations: { [TRIGGER]: triggerTime(service, backends) },
      },
      ...(subsets.length === 0 ? {} : { subsets }),
    });
    return;
  }
  if (jsonEqual(arrayAt(present, 'subsets'), subsets) && jsonEqual(present.metadata.labels, labels)) return;
  context.update(resources.endpoints, present, (copy) => {
    copy.metadata.labels = labels;
    copy.metadata.annotations = { ...copy.metadata.annotations, [TRIGGER]: triggerTime(service, backends) };
    if (subsets.length > 0) copy.subsets = subsets;
    else delete copy.subsets;
  });
}

/** One subset for each set of ports that pods have in common: ready addresses and others (RepackSubsets). */
function subsetsOf(service: KubeObject, backends: readonly Backend[]): JsonObject[] {
  const groups = new Map<string, { ports: JsonObject[]; ready: JsonObject[]; notReady: JsonObject[] }>();
  for (const backend of backends.filter((each) => !each.terminating || each.ready)) {
    const ports = portsOf(service, backend.pod);
    if (ports.length === 0 && stringAt(service, 'spec', 'clusterIP') !== 'None') continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    (backend.ready ? group.ready : group.notReady).push(addressOf(service, backend));
  }
  return [...groups.values()].map(({ ports, ready, notReady }) => ({
    ...(ready.length === 0 ? {} : { addresses: sorted(ready) }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: sorted(notReady) }),
    ...(ports.length === 0 ? {} : { ports }),
  }));
}

function sorted(addresses: JsonObject[]): JsonObject[] {
  return addresses.sort((a, b) => (String(a.ip) < String(b.ip) ? -1 : 1));
}

function portsOf(service: KubeObject, pod: KubeObject): JsonObject[] {
  const ports: JsonObject[] = [];
  for (const port of arrayAt(service, 'spec', 'ports')) {
    const number =
      targetPort(pod, port) ?? (stringAt(service, 'spec', 'clusterIP') === 'None' ? numberAt(port, 'port') : undefined);
    if (number === undefined) continue;
    const name = stringAt(port, 'name');
    ports.push({
      ...(name === undefined || name === '' ? {} : { name }),
      port: number,
      protocol: stringAt(port, 'protocol') ?? 'TCP',
    });
  }
  return ports;
}

function addressOf(service: KubeObject, { pod, ip }: Backend): JsonObject {
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = stringAt(pod, 'spec', 'hostname');
  const named = hostname !== undefined && stringAt(pod, 'spec', 'subdomain') === nameOf(service);
  return {
    ip,
    ...(named ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: nameOf(pod), uid: pod.metadata.uid ?? '' },
  };
}

/** When what the endpoints show last changed: the latest change of readiness, or the making of the Service. */
function triggerTime(service: KubeObject, backends: readonly Backend[]): string {
  const times = backends.map(({ pod }) => parseTime(stringAt(conditionOf(pod, 'Ready'), 'lastTransitionTime')));
  const latest = times.filter((ms) => ms !== undefined);
  return formatTime(latest.length === 0 ? createdMs(service) : Math.max(...latest));
}
