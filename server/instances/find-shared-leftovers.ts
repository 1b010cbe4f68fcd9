import { BravoError, messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { entriesOf, type Inventory, type InventoryEntry, inventoryKey } from '@/lib/kudo/inventory/inventory';
import { isStillLeftBehind, sharedClaimsOf } from '@/lib/kudo/inventory/left-behind';
import { type RenderedNames, volatilePlace } from '@/lib/kudo/inventory/rendered-names';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';

interface SharedInput {
  readonly instance: Instance;
  readonly inventory: Inventory | undefined;
  readonly names: RenderedNames;
  readonly kinds: KindIndex;
  /** Gets a sentence when a part cannot be checked. */
  readonly notes: string[];
}

/**
 * Cluster-scoped objects that an earlier run of this Instance applied last, that its templates no longer render and that no other
 * Instance applied. While that is unknown for one other Instance, no object is returned.
 */
export async function findSharedLeftovers(api: Api, input: SharedInput): Promise<KubeObject[]> {
  const { instance, inventory, names } = input;
  const current = new Set(entriesOf(inventory ?? { runs: [] }).map(({ entry }) => inventoryKey(entry)));
  const candidates: KubeObject[] = [];
  for (const { entry, run } of entriesOf({ runs: inventory?.behind ?? [] })) {
    const key = inventoryKey(entry);
    const isVolatile = names.volatile.has(volatilePlace({ ...entry, plan: run.plan }, entry.kind));
    if (names.keys.has(key) || current.has(key) || isVolatile) continue;
    const live = await sharedObject(api, entry, input.kinds);
    if (live !== undefined && isStillLeftBehind(run, entry, live, nameOf(instance))) candidates.push(live);
  }
  if (candidates.length === 0) return [];
  const others = await othersOf(api, instance, input.notes);
  if (others === undefined) return [];
  return candidates.filter((object) => !others.has(inventoryKey({ ...object, name: nameOf(object) })));
}

/** Undefined when it was deleted, cannot be read, or its kind is namespaced now. */
async function sharedObject(
  api: Api,
  { apiVersion, kind, name }: InventoryEntry,
  kinds: KindIndex,
): Promise<KubeObject | undefined> {
  try {
    const target = await kinds.targetOf({ apiVersion, kind, metadata: { name } });
    if (target === undefined || target.namespace !== undefined) return undefined;
    const live = await api.get(target);
    return live === undefined ? undefined : { ...live, apiVersion, kind };
  } catch (error) {
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

/** The keys of objects that other Instances applied; undefined, with a note, when that is unknown for one of them. */
async function othersOf(api: Api, instance: Instance, notes: string[]): Promise<ReadonlySet<string> | undefined> {
  const keys = new Set<string>();
  try {
    const { items } = await api.list({ ...INSTANCES });
    for (const other of items as Instance[]) {
      if (other.metadata.uid === instance.metadata.uid) continue;
      const claims = sharedClaimsOf(other);
      if (claims === 'unknown') {
        notes.push(
          `Leftover cluster-scoped objects are not listed: what instance ${namespaceOf(other)}/${nameOf(other)} applied is unknown until one of its plans is complete.`,
        );
        return undefined;
      }
      for (const key of claims) keys.add(key);
    }
    return keys;
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    notes.push(`Leftover cluster-scoped objects are not listed: other instances cannot be read (${messageOf(error)}).`);
    return undefined;
  }
}
