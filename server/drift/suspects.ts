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
  /** What made it suspect; the same suspicion is not looked into twice when nothing came of it. */
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
  /** Suspicions that came to nothing, by object. */
  private readonly dismissed = new Map<string, string>();

  constructor(private readonly deps: SuspectsDeps) {}

  /** Kinds whose watched copy is not complete yet are left out; the Instance is reconciled again when it is. */
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

  /** Nothing came of it: it is no suspect again until it looks otherwise. */
  dismiss({ instance, entry, sign }: Suspect): void {
    this.dismissed.set(suspectId(instance, entry), sign);
  }

  /** True for a cluster-scoped object: others may give the same one. */
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

  /** Why an object is suspect, or undefined when it is as it should be or being deleted. */
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
    // Dismissed while its number of pods was left alone, it is a suspect again when that is not so any more.
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
