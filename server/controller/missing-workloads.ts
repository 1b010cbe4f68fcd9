import { type KubeObject, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { entriesOf, type InventoryEntry, inventoryOf } from '@/lib/kudo/inventory/inventory';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { codeOf } from '@/server/kube/errors';
import type { WorkloadName } from './watches';

const RESOURCE_BY_KIND: ReadonlyMap<string, WorkloadName> = new Map([
  ['apps/Deployment', 'deployments'],
  ['apps/StatefulSet', 'statefulsets'],
  ['apps/DaemonSet', 'daemonsets'],
  ['apps/ReplicaSet', 'replicasets'],
  ['/Pod', 'pods'],
]);

/** At most so many are read and named. */
const MOST_NAMED = 3;

interface Watched {
  readonly api: Pick<Api, 'get'>;
  readonly watches: { readonly workloads: ReadonlyMap<WorkloadName, Pick<Cache, 'get' | 'isSynced'>> };
}

/**
 * The workloads in the inventory of an Instance that do not exist, a sentence each: `StatefulSet db is missing`. Objects are looked
 * up in the watched copies, which costs no request; a copy without the object may be stale, so the API server is asked then. An
 * object that may not be read counts as existing.
 */
export async function missingWorkloads({ api, watches }: Watched, instance: Instance): Promise<string[]> {
  const inventory = inventoryOf(instance);
  if (inventory === undefined) return [];
  const namespace = namespaceOf(instance);
  const suspects = entriesOf(inventory).flatMap(({ entry }) => {
    const resource = resourceOf(entry);
    const cache = resource === undefined ? undefined : watches.workloads.get(resource);
    const isSuspect = cache?.isSynced === true && cache.get(namespace, entry.name) === undefined;
    return isSuspect && resource !== undefined ? [{ entry, resource }] : [];
  });
  const missing: string[] = [];
  for (const { entry, resource } of suspects.slice(0, MOST_NAMED)) {
    const { kind, name } = entry;
    const target = { group: resource === 'pods' ? '' : 'apps', version: 'v1', resource, namespace, name };
    if ((await readIfAllowed(() => api.get(target))) === undefined) missing.push(`${kind} ${name} is missing`);
  }
  return missing;
}

function resourceOf({ apiVersion, kind }: InventoryEntry): WorkloadName | undefined {
  return RESOURCE_BY_KIND.get(`${parseApiVersion(apiVersion).group}/${kind}`);
}

async function readIfAllowed(
  read: () => Promise<KubeObject | undefined>,
): Promise<KubeObject | 'forbidden' | undefined> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === 403) return 'forbidden';
    throw error;
  }
}
