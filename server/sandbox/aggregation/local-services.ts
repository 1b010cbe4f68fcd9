import { cloneJson, getAt, isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { internalContext } from '../registry/context';
import { createObject } from '../registry/create';
import { decodeObject } from '../registry/decode-object';
import { deleteObject } from '../registry/delete';
import { findStored, type Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { replaceObject } from '../registry/update';

/** Where APIServices are kept in the store. */
export const API_SERVICES = 'apiservices.apiregistration.k8s.io';

/** `onstart`: of a built-in group, made at each start; `true`: of CustomResourceDefinitions, comes and goes with them. */
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** How groups and versions are ordered (Kubernetes pkg/controlplane/apiserver aggregator.go). */
const GROUP_PRIORITIES: { readonly [group: string]: number } = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 16_200,
};
const CUSTOM_PRIORITIES = { groupPriorityMinimum: 1_000, versionPriority: 100 };

function prioritiesOf(group: string, version: string): JsonObject {
  const versionPriority = group === '' ? 1 : group === 'autoscaling' && version === 'v2' ? 30 : 15;
  return { groupPriorityMinimum: GROUP_PRIORITIES[group] ?? 16_000, versionPriority };
}

/** The APIServices of the groups and versions that this server answers itself. `apiregistration.k8s.io` has none in Kubernetes either. */
export function localServices(infos: readonly ResourceInfo[]): KubeObject[] {
  const made = new Map<string, KubeObject>();
  for (const { group, version, custom } of infos) {
    const name = `${version}.${group}`;
    if (made.has(name) || group === 'apiregistration.k8s.io') continue;
    made.set(name, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name, labels: { [AUTOMANAGED]: custom === undefined ? 'onstart' : 'true' } },
      spec: { group, version, ...(custom === undefined ? prioritiesOf(group, version) : CUSTOM_PRIORITIES) },
    });
  }
  return [...made.values()];
}

/**
 * Keeps the local APIServices in step with what is served (kube-aggregator autoregister). One that a person made, without
 * the label, is left as it is. The result ends it.
 */
export function keepLocalServices(registry: Registry): () => void {
  const { table, store } = registry;
  const info = table.find('apiregistration.k8s.io', 'apiservices');
  if (info === undefined) return () => {};
  let known = '';
  const sync = (): void => {
    const wanted = localServices(table.all());
    const names = new Set(wanted.map(({ metadata }) => metadata.name ?? ''));
    const shape = [...names].join(' ');
    if (shape === known) return;
    known = shape;
    for (const service of wanted) ensureService(registry, info, service);
    for (const [name, { object }] of [...store.collection(API_SERVICES).entries()]) {
      if (names.has(name) || object.metadata.labels?.[AUTOMANAGED] !== 'true') continue;
      deleteObject(registry, { info, namespace: undefined, name }, {}, internalContext());
    }
  };
  sync();
  return table.onChange(sync);
}

function ensureService(registry: Registry, info: ResourceInfo, wanted: KubeObject): void {
  const place = { info, namespace: undefined, name: wanted.metadata.name ?? '' };
  const present = findStored(registry, place)?.object;
  const context = internalContext();
  if (present === undefined) {
    createObject(registry, place, decodeObject(info, cloneJson(wanted), context), context);
    return;
  }
  const isOurs = present.metadata.labels?.[AUTOMANAGED] !== undefined;
  if (!isOurs || jsonEqual(present.spec, wanted.spec)) return;
  replaceObject(registry, place, { ...cloneJson(present), spec: cloneJson(wanted.spec) } as KubeObject, context);
}

/** The Service that answers for an APIService; undefined for a local one. */
export function serviceOf(apiService: KubeObject): JsonObject | undefined {
  const service = getAt(apiService, 'spec', 'service');
  return isJsonObject(service) ? service : undefined;
}
