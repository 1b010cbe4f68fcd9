import { arrayAt, type JsonObject, jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { type Controller, controllerReference, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { type Backend, backendsOf, selectorOf, servicesToReconcile, targetPort } from './service-pods';

const MANAGED = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
const SERVICE = 'kubernetes.io/service-name';
/** Endpoints of one slice (kube-controller-manager --max-endpoints-per-slice). */
const MAX_ENDPOINTS = 100;

/** Keeps the EndpointSlices of Services with a selector (Kubernetes pkg/controller/endpointslice). */
export function endpointSliceController(context: WorkloadContext): Controller {
  return {
    name: 'endpointslice',
    keysFor: (event, before) => servicesToReconcile(context, event, before),
    reconcile(namespace, name) {
      const service = context.get(resources.services, namespace, name);
      if (service !== undefined && selectorOf(service) !== undefined) sync(context, service);
      return undefined;
    },
  };
}

function sync(context: WorkloadContext, service: KubeObject): void {
  const present = context.index
    .dependentsOf(service.metadata.uid ?? '', 'endpointslices')
    .filter((slice) => slice.metadata.labels?.[MANAGED] === MANAGER);
  const wanted = slicesFor(service, backendsOf(context, service));
  for (const [index, slice] of wanted.entries()) {
    const existing = present[index];
    if (existing === undefined) {
      context.create(resources.endpointslices, slice);
    } else if (!jsonEqual([existing.endpoints, existing.ports], [slice.endpoints, slice.ports])) {
      context.update(resources.endpointslices, existing, (copy) => {
        copy.endpoints = slice.endpoints;
        copy.ports = slice.ports;
      });
    }
  }
  for (const slice of present.slice(wanted.length)) context.delete(resources.endpointslices, slice);
}

/** At least one slice; more when pods differ in their ports or are many. */
function slicesFor(service: KubeObject, backends: readonly Backend[]): KubeObject[] {
  const groups = new Map<string, { ports: JsonObject[]; endpoints: JsonObject[] }>();
  for (const backend of backends) {
    const ports = portsOf(service, backend.pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(service, backend));
  }
  if (groups.size === 0) return [newSlice(service, null, [])];
  return [...groups.values()].flatMap(({ ports, endpoints }) => {
    const slices: KubeObject[] = [];
    for (let at = 0; at < endpoints.length; at += MAX_ENDPOINTS) {
      slices.push(newSlice(service, ports, endpoints.slice(at, at + MAX_ENDPOINTS)));
    }
    return slices;
  });
}

function newSlice(service: KubeObject, ports: JsonObject[] | null, endpoints: JsonObject[]): KubeObject {
  const labels: { [key: string]: string } = {
    ...service.metadata.labels,
    [MANAGED]: MANAGER,
    [SERVICE]: nameOf(service),
  };
  if (stringAt(service, 'spec', 'clusterIP') === 'None') labels['service.kubernetes.io/headless'] = '';
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${nameOf(service)}-`,
      namespace: namespaceOf(service),
      labels,
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

function endpointOf(service: KubeObject, backend: Backend): JsonObject {
  const { pod, ip, ready, serving, terminating } = backend;
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = stringAt(pod, 'spec', 'hostname');
  const named = hostname !== undefined && stringAt(pod, 'spec', 'subdomain') === nameOf(service);
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(named ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name: nameOf(pod), uid: pod.metadata.uid ?? '' },
  };
}

function portsOf(service: KubeObject, pod: KubeObject): JsonObject[] {
  const ports: JsonObject[] = [];
  for (const port of arrayAt(service, 'spec', 'ports')) {
    const number = targetPort(pod, port);
    if (number === undefined) continue;
    ports.push({ name: stringAt(port, 'name') ?? '', protocol: stringAt(port, 'protocol') ?? 'TCP', port: number });
  }
  return ports;
}
