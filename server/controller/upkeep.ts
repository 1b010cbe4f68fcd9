import type { Clock } from '@/lib/clock/clock';
import { BravoError, ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import type { Fingerprinter } from '@/lib/kudo/fingerprint';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { withoutReplicas } from '@/lib/kudo/upkeep/drift';
import {
  entriesOf,
  formatInventory,
  INVENTORY_ANNOTATION,
  type InventoryEntry,
  type InventoryRun,
  inventoryOf,
} from '@/lib/kudo/upkeep/inventory';
import { afterRepair, type RepairPace, repairDelayMs } from '@/lib/kudo/upkeep/repair-pace';
import { secretTextsOf } from '@/lib/kudo/upkeep/secret-texts';
import { isSelfHealing } from '@/lib/kudo/upkeep/self-heal';
import { isAsApplied } from '@/lib/kudo/upkeep/shared-object';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import type { TextRenderer } from '@/server/tasks/render-texts';
import { isNamespaceTerminating } from '@/server/tasks/run-task';
import { KnownManifests } from '@/server/upkeep/known-manifests';
import { type PutBack, putBack } from '@/server/upkeep/put-back';
import { repairedWords, slowedWords } from '@/server/upkeep/repair-words';
import { adoptInventory } from './adopt-inventory';
import type { EventRecorder } from './events';
import { type InstanceStore, keyOf } from './instance-store';
import { UpkeepWatches } from './upkeep-watches';

export interface UpkeepDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: KindIndex;
  readonly store: InstanceStore;
  readonly events: EventRecorder;
  readonly renderTexts: TextRenderer;
  readonly fingerprints: Fingerprinter;
  /** The watched copy of all Instances: children are among them. */
  readonly instances: Cache;
  related(key: string): void;
}

/** Of the term in which a look was begun: when that is over, it writes no more. */
interface TermClients {
  readonly api: Api;
  readonly store: InstanceStore;
}

/** The watched copies need a moment to see what a plan that has just ended wrote. */
const SETTLE_MS = 1_000;
/** How long to wait when something is missing in the watched copy and there in truth. */
const BEHIND_MS = 2_000;
/** From this many repairs without quiet between them on, an event says that somebody else writes the object too. */
const FIGHT = 3;

interface Suspect {
  readonly entry: InventoryEntry;
  readonly run: InventoryRun;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  /** What made it suspect; the same suspicion is not looked into twice when nothing came of it. */
  readonly sign: string;
}

/**
 * Self-repair (docs/decisions/021): while no plan runs, what the last plans left and what vanished or drifted since is put
 * back, for Instances that have it on. Nothing is listed: the shared watches tell, and at a start their first lists tell
 * what happened meanwhile. Each object has a pace of its own.
 */
export class Upkeep {
  private readonly watches: UpkeepWatches;
  private readonly paces = new Map<string, RepairPace>();
  /** Suspicions that came to nothing, by object. */
  private readonly cleared = new Map<string, string>();
  private readonly endedAtMs = new Map<string, number>();

  constructor(private readonly deps: UpkeepDeps) {
    const { api, kinds, clock, random, log, fingerprints } = deps;
    this.watches = new UpkeepWatches({
      api,
      kinds,
      fingerprints,
      cache: { clock, random, log },
      ring: (key) => {
        const instance = deps.store.get(key);
        if ((instance?.spec?.planExecution?.planName ?? '') === '') deps.related(key);
        return instance !== undefined;
      },
    });
  }

  stop(): Promise<void> {
    return this.watches.stop();
  }

  /** An Instance (`namespace/name`) that is gone, or not to be kept up: nothing needs to be watched for it. */
  forget(key: string): void {
    this.watches.needs(key, []);
    this.endedAtMs.delete(key);
  }

  /** Another controller acts now, or this one again: what is watched ends after a while, unless an Instance has need of it. */
  needNothing(): void {
    this.watches.needNothing();
  }

  planEnded(instance: Instance): void {
    this.endedAtMs.set(keyOf(instance), this.deps.clock.monotonic());
  }

  /**
   * Puts back what is to be put back now. Gives the milliseconds after which to look again, or undefined when only a watch
   * can bring news. For Instances at rest only.
   * @throws TransientError when the API does not answer
   */
  async tend(
    { api, store }: TermClients,
    instance: Instance,
    operatorVersion: OperatorVersion | undefined,
  ): Promise<number | undefined> {
    if (!isSelfHealing(instance, operatorVersion)) {
      this.forget(keyOf(instance));
      return undefined;
    }
    const early = this.tooEarlyMs(keyOf(instance));
    if (early > 0) return early;
    const inventory = inventoryOf(instance);
    if (inventory === undefined) return this.adopt(store, instance, operatorVersion);
    if (inventory.unsettled !== undefined) return undefined;
    const suspects = await this.suspects(instance, operatorVersion);
    if (suspects.some((suspect) => this.delayMs(suspect) <= 0)) {
      const { uid, resourceVersion } = instance.metadata;
      const live = await store.refresh(keyOf(instance));
      // Put back by a late copy, an object would lose what a newer plan wrote.
      if (live?.metadata.uid !== uid) return undefined;
      if (live?.metadata.resourceVersion !== resourceVersion) return 0;
    }
    let next: number | undefined;
    const known = new KnownManifests(this.deps, instance, operatorVersion);
    for (const suspect of suspects) {
      const afterMs = await this.lookInto(suspect, known, api);
      if (afterMs !== undefined) next = Math.min(next ?? afterMs, afterMs);
    }
    return next;
  }

  /** An Instance that was taken over from KUDO: from now on what is there is kept up. */
  private async adopt(
    store: InstanceStore,
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

  /** Kinds whose watched copy is not complete yet are left out; they ring when it is. */
  private async suspects(instance: Instance, operatorVersion: OperatorVersion | undefined): Promise<Suspect[]> {
    const suspects: Suspect[] = [];
    const entries = entriesOf(inventoryOf(instance) ?? { runs: [] });
    this.watches.needs(
      keyOf(instance),
      entries.map(({ entry }) => entry).filter((entry) => !isChild(entry)),
    );
    const scalers = await this.watches.scalers();
    if (scalers !== undefined) this.watches.isReady(scalers, keyOf(instance));
    for (const { entry, run } of entries) {
      const cache = isChild(entry) ? this.deps.instances : await this.watches.of(entry);
      if (cache === undefined || !this.watches.isReady(cache, keyOf(instance))) continue;
      if (this.isShared(entry)) this.watches.listen(entry, keyOf(instance));
      const place = this.isShared(entry) ? '' : namespaceOf(instance);
      const sign = this.signOf(entry, cache.get(place, entry.name), namespaceOf(instance));
      if (sign === undefined) this.cleared.delete(idOf(instance, entry));
      else if (this.cleared.get(idOf(instance, entry)) !== sign) {
        suspects.push({ entry, run, instance, operatorVersion, sign });
      }
    }
    return suspects;
  }

  /** True for a cluster-scoped object: others may give the same one. */
  private isShared({ apiVersion, kind }: InventoryEntry): boolean {
    return this.deps.kinds.known(apiVersion, kind)?.namespaced === false;
  }

  /** Why an object is suspect, or undefined when it is as it should be or on its way out. */
  private signOf(entry: InventoryEntry, object: KubeObject | undefined, namespace: string): string | undefined {
    if (object === undefined) return 'missing';
    if ((object.metadata.deletionTimestamp ?? '') !== '' || isChild(entry)) return undefined;
    const verdict = this.watches.verdictOf(object);
    if (this.isShared(entry) && verdict?.digest !== entry.digest) return undefined;
    const all = verdict?.differences ?? [];
    const isScaled = this.watches.isScaled(namespace, entry);
    const differences = isScaled ? withoutReplicas(all) : all;
    if (differences.length > 0) return JSON.stringify([object.metadata.uid, differences]);
    if (verdict?.digest === entry.digest) return undefined;
    // What came to nothing while its number of pods was left alone is looked into again when that is not so any more.
    return `${object.metadata.uid} ${verdict?.digest || object.metadata.resourceVersion}${isScaled ? ' scaled' : ''}`;
  }

  private delayMs({ instance, entry }: Suspect): number {
    return repairDelayMs(this.paces.get(idOf(instance, entry)), this.deps.clock.monotonic());
  }

  private async lookInto(suspect: Suspect, known: KnownManifests, api: Api): Promise<number | undefined> {
    const id = idOf(suspect.instance, suspect.entry);
    const delayMs = this.delayMs(suspect);
    if (delayMs > 0) return delayMs;
    try {
      const done = await this.repair(suspect, known, api);
      if (done === undefined || done.did === 'nothing') {
        if (suspect.sign === 'missing' && done !== undefined) return BEHIND_MS;
        this.cleared.set(id, suspect.sign);
        return undefined;
      }
      this.announce(suspect, done, this.noteWrite(id));
      return undefined;
    } catch (error) {
      return this.onFailure(suspect, error);
    }
  }

  /** Undefined when what the last plan left is not known. */
  private async repair(suspect: Suspect, known: KnownManifests, api: Api): Promise<PutBack | undefined> {
    const { entry, instance } = suspect;
    const { apiVersion, kind, name } = entry;
    const target = await this.deps.kinds.targetOf({
      apiVersion,
      kind,
      metadata: { name, namespace: namespaceOf(instance) },
    });
    if (target === undefined) return { did: 'nothing' };
    const live = await api.get(target);
    if (live !== undefined && this.isShared(entry) && !isAsApplied(entry, live)) return { did: 'nothing' };
    const manifest = await known.find(entry, suspect.run, live);
    if (manifest === undefined) {
      const message = `${kind} ${name} ${live === undefined ? 'has vanished' : 'was changed'}, and what plan ${suspect.run.plan} left is not known any more; start that plan again to bring it back.`;
      this.deps.events.record(instance, 'Warning', 'RepairFailed', message);
      return undefined;
    }
    const keepsReplicas = this.watches.isScaled(namespaceOf(instance), entry);
    return putBack(target, manifest, live, { api, instance, keepsReplicas });
  }

  private noteWrite(id: string): RepairPace {
    const pace = afterRepair(this.paces.get(id), this.deps.clock.monotonic());
    this.paces.set(id, pace);
    return pace;
  }

  private announce(suspect: Suspect, done: PutBack, pace: RepairPace): void {
    const { entry, run, instance, operatorVersion } = suspect;
    const message = repairedWords(done, entry, run, secretTextsOf(instance, operatorVersion));
    this.deps.events.record(instance, 'Normal', 'Repaired', message);
    this.deps.log.info('upkeep.repaired', { instance: keyOf(instance), kind: entry.kind, name: entry.name });
    if (pace.inARow < FIGHT) return;
    this.deps.events.record(instance, 'Warning', 'RepairSlowed', slowedWords(entry, pace));
  }

  private onFailure(suspect: Suspect, error: unknown): number | undefined {
    if (error instanceof ConflictError) return BEHIND_MS;
    const isForGood = error instanceof TerminalError || error instanceof RenderError;
    if (!isForGood || (error instanceof BravoError && error.reason === 'LeaseLost')) throw error;
    // In a namespace that goes away nothing is made any more, and nobody needs to be told.
    if (isNamespaceTerminating(error)) return undefined;
    const { entry, instance } = suspect;
    const pace = this.noteWrite(idOf(instance, entry));
    const message = `${entry.kind} ${entry.name} cannot be put back: ${messageOf(error)}`;
    this.deps.events.record(instance, 'Warning', 'RepairFailed', message);
    return pace.spanMs;
  }
}

function isChild({ apiVersion, kind }: InventoryEntry): boolean {
  return kind === 'Instance' && apiVersion.startsWith('kudo.dev/');
}

function idOf(instance: Instance, { apiVersion, kind, name }: InventoryEntry): string {
  return `${instance.metadata.uid}/${apiVersion}/${kind}/${name}`;
}
