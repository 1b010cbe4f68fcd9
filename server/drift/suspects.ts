import { type KubeObject, namespacedName, namespaceOf } from '@/lib/kube/object';
import { withoutReplicas } from '@/lib/kudo/drift/drift';
import { entriesOf, type InventoryEntry, type InventoryRun, inventoryOf } from '@/lib/kudo/inventory/inventory';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Cache } from '@/server/kube/cache';
import type { KindIndex } from '@/server/kube/kinds';
import type { DriftWatches } from './drift-watches';

/** An object of an inventory that, by its watched copy, is missing or not as its last plan left it. */
export interface Suspect {
  readonly entry: InventoryEntry;
  readonly run: InventoryRun;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  /** What made it a suspect; a dismissed object is no suspect again with the same sign. */
  readonly sign: string;
}

export interface SuspectsDeps {
  readonly watches: DriftWatches;
  readonly kinds: KindIndex;
  /** The watched copy of all Instances: children are among them. */
  readonly instances: Cache;
}

/** Finds drift in the watched copies; asks the API server nothing. */
export class Suspects {
  /** The signs of dismissed suspects, by object. */
  private readonly dismissed = new Map<string, string>();

  constructor(private readonly deps: SuspectsDeps) {}

  /** Kinds whose watched copy is incomplete are skipped; the Instance is requeued when it is complete. */
  async of(instance: Instance, operatorVersion: OperatorVersion | undefined): Promise<Suspect[]> {
    const { watches } = this.deps;
    const key = namespacedName(instance);
    const entries = entriesOf(inventoryOf(instance) ?? { runs: [] });
    watches.needs(
      key,
      entries.map(({ entry }) => entry).filter((entry) => !isChild(entry)),
    );
    const scalers = await watches.scalers();
    if (scalers !== undefined) watches.isReady(scalers, key);
    const suspects: Suspect[] = [];
    for (const { entry, run } of entries) {
      const sign = await this.newSignOf(entry, instance);
      if (sign !== undefined) suspects.push({ entry, run, instance, operatorVersion, sign });
    }
    return suspects;
  }

  /** The object needs no repair; it is no suspect again until its sign changes. */
  dismiss({ instance, entry, sign }: Suspect): void {
    this.dismissed.set(suspectId(instance, entry), sign);
  }

  /** True for a cluster-scoped object: other Instances may apply the same one. */
  isShared({ apiVersion, kind }: InventoryEntry): boolean {
    return this.deps.kinds.known(apiVersion, kind)?.namespaced === false;
  }

  private async newSignOf(entry: InventoryEntry, instance: Instance): Promise<string | undefined> {
    const { watches, instances } = this.deps;
    const key = namespacedName(instance);
    const cache = isChild(entry) ? instances : await watches.of(entry);
    if (cache === undefined || !watches.isReady(cache, key)) return undefined;
    const isShared = this.isShared(entry);
    if (isShared) watches.listen(entry, key);
    const object = cache.get(isShared ? '' : namespaceOf(instance), entry.name);
    const sign = this.signOf(entry, object, namespaceOf(instance));
    const id = suspectId(instance, entry);
    if (sign === undefined) this.dismissed.delete(id);
    return this.dismissed.get(id) === sign ? undefined : sign;
  }

  /** What makes an object a suspect; undefined when it is as applied, or being deleted. */
  private signOf(entry: InventoryEntry, object: KubeObject | undefined, namespace: string): string | undefined {
    const { watches } = this.deps;
    if (object === undefined) return 'missing';
    if ((object.metadata.deletionTimestamp ?? '') !== '' || isChild(entry)) return undefined;
    const verdict = watches.verdictOf(object);
    if (this.isShared(entry) && verdict?.digest !== entry.digest) return undefined;
    const all = verdict?.differences ?? [];
    const isScaled = watches.isScaled(namespace, entry);
    const differences = isScaled ? withoutReplicas(all) : all;
    if (differences.length > 0) return JSON.stringify([object.metadata.uid, differences]);
    if (verdict?.digest === entry.digest) return undefined;
    // Dismissed while an autoscaler set its replicas, it is a suspect again when none does.
    return `${object.metadata.uid} ${verdict?.digest || object.metadata.resourceVersion}${isScaled ? ' scaled' : ''}`;
  }
}

/** A child Instance, of which only the existence counts. */
export function isChild({ apiVersion, kind }: Pick<InventoryEntry, 'apiVersion' | 'kind'>): boolean {
  return kind === 'Instance' && apiVersion.startsWith('kudo.dev/');
}

/** Tells an object of one Instance from every other, also from that of an earlier Instance of the same name. */
export function suspectId(instance: Instance, { apiVersion, kind, name }: InventoryEntry): string {
  return `${instance.metadata.uid}/${apiVersion}/${kind}/${name}`;
}
