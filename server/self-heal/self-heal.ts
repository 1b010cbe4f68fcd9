import type { Clock } from '@/lib/clock/clock';
import { namespacedName } from '@/lib/kube/object';
import { formatInventory, INVENTORY_ANNOTATION, inventoryOf } from '@/lib/kudo/inventory/inventory';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Random } from '@/lib/random/random';
import { DriftWatches } from '@/server/drift/drift-watches';
import { Suspects } from '@/server/drift/suspects';
import { adoptInventory } from '@/server/inventory/adopt-inventory';
import { KnownManifests } from '@/server/inventory/known-manifests';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import type { TextRenderer } from '@/server/tasks/render-texts';
import { type RepairClients, Repairer } from './repair';

/** Reads and writes Instances; every write is guarded by the resourceVersion of what was decided upon. */
interface Instances {
  get(key: string): Instance | undefined;
  refresh(key: string): Promise<Instance | undefined>;
  annotate(instance: Instance, annotations: { [key: string]: string }): Promise<Instance>;
}

export interface SelfHealDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: KindIndex;
  readonly store: Instances;
  readonly renderTexts: TextRenderer;
  readonly fingerprints: Fingerprinter;
  /** The watched copy of all Instances: children are among them. */
  readonly instances: Cache;
  /** Has the Instance (`namespace/name`) reconciled soon. */
  requeue(key: string): void;
}

/** The clients of one reconcile: after the leader term they write nothing more. */
interface TermClients extends RepairClients {
  readonly store: Instances;
}

/** The watched copies need a moment to see what a plan that has just ended wrote. */
const SETTLE_MS = 1_000;

/**
 * Self-heal (docs/decisions/021): while no plan runs, objects that are missing or drifted are restored as the last plans left them,
 * for Instances that have it on. Drift is found in shared watches; after a start their first lists show what happened meanwhile.
 */
export class SelfHeal {
  private readonly watches: DriftWatches;
  private readonly suspects: Suspects;
  private readonly repairer: Repairer;
  private readonly endedAtMs = new Map<string, number>();

  constructor(private readonly deps: SelfHealDeps) {
    const { api, kinds, clock, random, log, instances, fingerprints } = deps;
    this.watches = new DriftWatches({
      api,
      kinds,
      fingerprints,
      cache: { clock, random, log },
      requeue: (key) => {
        const instance = deps.store.get(key);
        if ((instance?.spec?.planExecution?.planName ?? '') === '') deps.requeue(key);
        return instance !== undefined;
      },
    });
    const { watches } = this;
    this.suspects = new Suspects({ watches, kinds, instances });
    this.repairer = new Repairer({ clock, kinds, watches, suspects: this.suspects });
  }

  stop(): Promise<void> {
    return this.watches.stop();
  }

  /** How many watched objects differ from what plans applied. */
  driftedObjects(): number {
    return this.watches.drifted();
  }

  /** Watches nothing more for an Instance (`namespace/name`) that was deleted or has self-heal off. */
  forget(key: string): void {
    this.watches.needs(key, []);
    this.endedAtMs.delete(key);
  }

  /** At a change of leadership: every watch ends after a while, unless an Instance needs it again. */
  needNothing(): void {
    this.watches.needNothing();
  }

  planEnded(instance: Instance): void {
    this.endedAtMs.set(namespacedName(instance), this.deps.clock.monotonic());
  }

  /**
   * Restores what is due now. Returns the milliseconds after which to check again; undefined when only a watch event can change
   * anything. For idle Instances only.
   * @throws TransientError when the API server does not answer
   */
  async heal(
    clients: TermClients,
    instance: Instance,
    operatorVersion: OperatorVersion | undefined,
  ): Promise<number | undefined> {
    const { store } = clients;
    const key = namespacedName(instance);
    if (!isSelfHealing(instance, operatorVersion)) {
      this.forget(key);
      return undefined;
    }
    const early = this.tooEarlyMs(key);
    if (early > 0) return early;
    const inventory = inventoryOf(instance);
    if (inventory === undefined) return this.adopt(store, instance, operatorVersion);
    if (inventory.unsettled !== undefined) return undefined;
    const suspects = await this.suspects.of(instance, operatorVersion);
    if (suspects.some((suspect) => this.repairer.delayMs(suspect) <= 0)) {
      const { uid, resourceVersion } = instance.metadata;
      const live = await store.refresh(key);
      // Repaired from a stale copy, an object would lose what a newer plan wrote.
      if (live?.metadata.uid !== uid) return undefined;
      if (live?.metadata.resourceVersion !== resourceVersion) return 0;
    }
    let next: number | undefined;
    const known = new KnownManifests(this.deps, instance, operatorVersion);
    for (const suspect of suspects) {
      const afterMs = await this.repairer.repair(suspect, known, clients);
      if (afterMs !== undefined) next = Math.min(next ?? afterMs, afterMs);
    }
    return next;
  }

  /** Stores the inventory of an Instance that was taken over from KUDO: from now on its objects are restored. */
  private async adopt(
    store: Instances,
    instance: Instance,
    operatorVersion: OperatorVersion | undefined,
  ): Promise<number | undefined> {
    if (operatorVersion === undefined) return undefined;
    const { kinds, api } = this.deps;
    const inventory = await adoptInventory(instance, operatorVersion, { watches: this.watches, kinds, api });
    const text = inventory === undefined ? undefined : formatInventory(inventory);
    if (text === undefined) return undefined;
    await store.annotate(instance, { [INVENTORY_ANNOTATION]: text });
    return 0;
  }

  private tooEarlyMs(key: string): number {
    const endedAtMs = this.endedAtMs.get(key);
    if (endedAtMs === undefined) return 0;
    const restMs = endedAtMs + SETTLE_MS - this.deps.clock.monotonic();
    if (restMs <= 0) this.endedAtMs.delete(key);
    return restMs;
  }
}
