import { formatTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerReference, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { createdMs } from '../pods/pod-state';
import { type Backend, backendsOf, serviceSelector, servicesToReconcile } from './service-pods';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const MANAGED = 'endpoints.kubernetes.io/managed-by';
const SLICE_MANAGED = 'endpointslice.kubernetes.io/managed-by';
const SLICE_MANAGER = 'endpointslice-controller.k8s.io';
/** Endpoints of one slice (kube-controller-manager --max-endpoints-per-slice). */
const MAX_ENDPOINTS = 100;

/** Keeps the Endpoints and EndpointSlices of Services with a selector (Kubernetes pkg/controller/endpoint, endpointslice). */
export function endpointsController(context: WorkloadContext): WorkloadController {
  return {
    name: 'endpoints',
    keysFor: (event, before) => servicesToReconcile(context, event, before),
    reconcile(namespace, name) {
      const service = context.get(resources.services, namespace, name);
      const present = context.get(resources.endpoints, namespace, name);
      if (service === undefined) {
        const ours = present?.metadata.labels?.[MANAGED] === 'endpoint-controller';
        if (present !== undefined && ours) context.delete(resources.endpoints, present);
      } else if (serviceSelector(service) !== undefined) {
        const backends = backendsOf(context, service);
        writeEndpoints(context, service, backends, present);
        writeSlices(context, service, backends);
      }
      return undefined;
    },
  };
}

function writeEndpoints(
  context: WorkloadContext,
  service: KubeObject,
  backends: readonly Backend[],
  present: KubeObject | undefined,
): void {
  const subsets = subsetsOf(service, backends);
  const labels = labelsFor(service, { [MANAGED]: 'endpoint-controller' });
  const annotations = { ...present?.metadata.annotations, [TRIGGER]: triggerTime(service, backends) };
  const content = subsets.length === 0 ? {} : { subsets };
  if (present === undefined) {
    const metadata = { name: nameOf(service), namespace: namespaceOf(service), labels, annotations };
    context.create(resources.endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata, ...content });
    return;
  }
  if (jsonEqual(arrayAt(present, 'subsets'), subsets) && jsonEqual(present.metadata.labels, labels)) return;
  context.update(resources.endpoints, present, (copy) => {
    copy.metadata.labels = labels;
    copy.metadata.annotations = annotations;
    delete copy.subsets;
    Object.assign(copy, content);
  });
}

function writeSlices(context: WorkloadContext, service: KubeObject, backends: readonly Backend[]): void {
  const present = context.index
    .dependentsOf(service.metadata.uid ?? '', 'endpointslices')
    .filter((slice) => slice.metadata.labels?.[SLICE_MANAGED] === SLICE_MANAGER);
  const wanted = slicesFor(backends);
  for (const [index, content] of wanted.entries()) {
    const existing = present[index];
    if (existing === undefined) {
      context.create(resources.endpointslices, newSlice(service, content));
    } else if (!jsonEqual({ endpoints: existing.endpoints, ports: existing.ports }, content)) {
      context.update(resources.endpointslices, existing, (copy) => void Object.assign(copy, content));
    }
  }
  for (const slice of present.slice(wanted.length)) context.delete(resources.endpointslices, slice);
}

function labelsFor(service: KubeObject, own: { [key: string]: string }): { [key: string]: string } {
  const headless = isHeadless(service) ? { 'service.kubernetes.io/headless': '' } : {};
  return { ...service.metadata.labels, ...own, ...headless };
}

function isHeadless(service: KubeObject): boolean {
  return stringAt(service, 'spec', 'clusterIP') === 'None';
}

/** The backends of each set of ports that pods have in common (RepackSubsets). */
function byPorts(backends: readonly Backend[]): Backend[][] {
  const groups = new Map<string, Backend[]>();
  for (const backend of backends) {
    const key = JSON.stringify(backend.ports);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [backend]);
    else group.push(backend);
  }
  return [...groups.values()];
}

function subsetsOf(service: KubeObject, backends: readonly Backend[]): JsonObject[] {
  const shown = backends.filter(
    ({ terminating, ready, ports }) => (!terminating || ready) && (ports.length > 0 || isHeadless(service)),
  );
  return byPorts(shown).map((group) => {
    const ready = addressesOf(group.filter((backend) => backend.ready));
    const notReady = addressesOf(group.filter((backend) => !backend.ready));
    const ports = (group[0]?.ports ?? []).map(({ name, ...port }) => (name === '' ? port : { name, ...port }));
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports }),
    };
  });
}

function addressesOf(backends: readonly Backend[]): JsonObject[] {
  return backends.map(({ ip, place }) => ({ ip, ...place })).sort((a, b) => (a.ip < b.ip ? -1 : 1));
}

/** At least one slice; more when pods differ in their ports or are many. */
function slicesFor(backends: readonly Backend[]): JsonObject[] {
  if (backends.length === 0) return [{ endpoints: [], ports: null }];
  return byPorts(backends).flatMap((group) => {
    const slices: JsonObject[] = [];
    for (let at = 0; at < group.length; at += MAX_ENDPOINTS) {
      const endpoints = group.slice(at, at + MAX_ENDPOINTS).map(({ ip, ready, serving, terminating, place }) => {
        return { addresses: [ip], conditions: { ready, serving, terminating }, ...place };
      });
      slices.push({ endpoints, ports: (group[0]?.ports ?? []).map((port) => ({ ...port })) });
    }
    return slices;
  });
}

function newSlice(service: KubeObject, content: JsonObject): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${nameOf(service)}-`,
      namespace: namespaceOf(service),
      labels: labelsFor(service, { [SLICE_MANAGED]: SLICE_MANAGER, 'kubernetes.io/service-name': nameOf(service) }),
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    ...content,
  };
}

/** When what the endpoints show last changed: the latest change of readiness, or the making of the Service. */
function triggerTime(service: KubeObject, backends: readonly Backend[]): string {
  const times = backends.map(({ readyChangedMs }) => readyChangedMs).filter((ms) => ms !== undefined);
  return formatTime(times.length === 0 ? createdMs(service) : Math.max(...times));
}
