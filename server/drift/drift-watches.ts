import { type KubeObject, type ObjectMeta, parseApiVersion } from '@/lib/kube/object';
import { controllerOfKind } from '@/lib/kube/owners';
import { type Difference, driftOf, scaledBy } from '@/lib/kudo/drift/drift';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import { inventoryKey, keyOfObject } from '@/lib/kudo/inventory/inventory';
import { manifestDigest } from '@/lib/kudo/inventory/manifest-digest';
import {
  EXECUTION_UID_ANNOTATION,
  HERITAGE_LABEL,
  HERITAGE_VALUE,
  INSTANCE_LABEL,
  PHASE_ANNOTATION,
  PLAN_ANNOTATION,
  STEP_ANNOTATION,
} from '@/lib/kudo/names';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Api } from '@/server/kube/api';
import { type Cache, type CacheChange, type CacheOptions, startCache } from '@/server/kube/cache';
import type { KindIndex } from '@/server/kube/kinds';
import { KeptWhileNeeded } from './kept-while-needed';

/** What a watched object's record says was applied, and where the object differs from that. */
export interface DriftOfObject {
  /** Of the record; empty when there is none. */
  readonly digest: string;
  readonly differences: readonly Difference[];
}

export interface DriftWatchesDeps {
  readonly api: Api;
  readonly kinds: KindIndex;
  readonly cache: CacheOptions;
  readonly fingerprints: Fingerprinter;
  /** Requeues an Instance (`namespace/name`): one of its objects was deleted or drifted. False when the Instance does not exist. */
  requeue(key: string): boolean;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The version that every Kubernetes serves: v2 came with 1.23. */
const SCALERS: Kind = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' };
/** Not the id of a kind: every autoscaler, whoever created it. */
const ALL_SCALERS = 'every autoscaler';

/**
 * One watch for each kind in the inventories of self-healing Instances, shared by all of them. It starts when the first Instance
 * needs it and ends when none has needed it for a while. Of each object only its identity and the verdict are kept; the verdict is
 * computed once per event.
 */
export class DriftWatches {
  /** By group and kind: the versions of a kind share a watch. */
  private readonly caches = new Map<string, Cache>();
  private readonly needed: KeptWhileNeeded;
  private readonly verdicts = new WeakMap<KubeObject, DriftOfObject>();
  private readonly waiting = new Map<Cache, Set<string>>();
  /** Instances with a cluster-scoped object in their inventory, by its key: nothing on the object says where they are. */
  private readonly listeners = new Map<string, Set<string>>();
  /** Watches that are being stopped. */
  private readonly ending = new Set<Promise<void>>();

  constructor(private readonly deps: DriftWatchesDeps) {
    this.needed = new KeptWhileNeeded(deps.cache.clock, (id) => this.end(id));
  }

  /** Sets the kinds that an Instance (`namespace/name`) needs watched from now on; none when it was deleted. */
  needs(key: string, kinds: readonly Kind[]): void {
    this.needed.needs(key, kinds.length === 0 ? [] : [...kinds.map(idOf), ALL_SCALERS]);
  }

  /** No Instance needs anything, until it says so again. */
  needNothing(): void {
    this.needed.clear();
  }

  /** The watched copy of a kind that an Instance {@link needs}; undefined when the cluster does not serve the kind. */
  async of(kind: Kind): Promise<Cache | undefined> {
    const resource = await this.deps.kinds.resolve(kind.apiVersion, kind.kind);
    if (resource === undefined) return undefined;
    const { group, version } = parseApiVersion(kind.apiVersion);
    const id = idOf(kind);
    let cache = this.caches.get(id);
    if (cache === undefined) {
      cache = startCache(
        this.deps.api,
        { group, version, resource: resource.resource },
        {
          ...this.deps.cache,
          selectors: { labelSelector: `${HERITAGE_LABEL}=${HERITAGE_VALUE}` },
          shrink: (object) => this.judged({ ...object, apiVersion: kind.apiVersion, kind: kind.kind }),
        },
      );
      cache.onChange((change) => this.onChange(change));
      this.caches.set(id, cache);
    }
    return cache;
  }

  /** True when the copy is complete; otherwise the Instance is requeued when it is. */
  isReady(cache: Cache, key: string): boolean {
    if (cache.isSynced) return true;
    const keys = this.waiting.get(cache);
    if (keys !== undefined) {
      keys.add(key);
      return false;
    }
    this.waiting.set(cache, new Set([key]));
    void cache.synced.then(() => {
      const waiting = this.waiting.get(cache) ?? [];
      this.waiting.delete(cache);
      for (const one of waiting) this.deps.requeue(one);
    });
    return false;
  }

  /** Requeues an Instance for changes of a cluster-scoped object too. */
  listen(object: { apiVersion: string; kind: string; name: string }, key: string): void {
    const id = inventoryKey(object);
    this.listeners.set(id, (this.listeners.get(id) ?? new Set()).add(key));
  }

  verdictOf(object: KubeObject): DriftOfObject | undefined {
    return this.verdicts.get(object);
  }

  /** Every HorizontalPodAutoscaler, whoever created it; undefined when the cluster does not serve the kind. */
  async scalers(): Promise<Cache | undefined> {
    const known = this.caches.get(ALL_SCALERS);
    if (known !== undefined) return known;
    const resource = await this.deps.kinds.resolve(SCALERS.apiVersion, SCALERS.kind);
    if (resource === undefined) return undefined;
    const cache =
      this.caches.get(ALL_SCALERS) ??
      startCache(this.deps.api, { ...resource }, { ...this.deps.cache, shrink: autoscalerEssence });
    this.caches.set(ALL_SCALERS, cache);
    return cache;
  }

  /** True when an autoscaler sets the replicas of the object, and while autoscalers cannot be read. */
  isScaled(namespace: string, object: { kind: string; name: string }): boolean {
    const scalers = this.caches.get(ALL_SCALERS);
    if (scalers?.isSynced === false) return true;
    const wanted = `${object.kind}/${object.name}`;
    return (scalers?.list(namespace) ?? []).some((scaler) => scaledBy(scaler) === wanted);
  }

  /** How many watched objects differ from what was applied. */
  drifted(): number {
    const isDrifted = (object: KubeObject) => (this.verdicts.get(object)?.differences.length ?? 0) > 0;
    return [...this.caches.values()].reduce((sum, cache) => sum + cache.list().filter(isDrifted).length, 0);
  }

  async stop(): Promise<void> {
    this.needed.stop();
    await Promise.all([...this.ending, ...[...this.caches.values()].map((cache) => cache.stop())]);
  }

  /** A watch that is needed again later begins with a list, so nothing that happened meanwhile is missed. */
  private end(id: string): void {
    const cache = this.caches.get(id);
    if (cache === undefined) return;
    this.caches.delete(id);
    this.waiting.delete(cache);
    const ended = cache.stop().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }

  private judged(object: KubeObject): KubeObject {
    const { apiVersion, kind, metadata } = object;
    const kept: KubeObject = { apiVersion, kind, metadata: essenceOf(metadata) };
    const manifest = appliedManifest(object);
    this.verdicts.set(
      kept,
      manifest === undefined
        ? { digest: '', differences: [] }
        : { digest: manifestDigest(manifest, this.deps.fingerprints), differences: driftOf(manifest, object) },
    );
    return kept;
  }

  private onChange({ type, object, previous }: CacheChange): void {
    const keys = this.keysOf(object);
    if (keys.length === 0) return;
    const verdict = this.verdicts.get(object);
    const before = previous === undefined ? undefined : this.verdicts.get(previous);
    const isUnchanged = type !== 'DELETED' && verdict?.differences.length === 0 && verdict.digest === before?.digest;
    if (isUnchanged) return;
    for (const key of keys) if (!this.deps.requeue(key)) this.listeners.get(keyOfObject(object))?.delete(key);
  }

  private keysOf(object: KubeObject): readonly string[] {
    if ((object.metadata.namespace ?? '') === '') return [...(this.listeners.get(keyOfObject(object)) ?? [])];
    const key = instanceKeyOf(object);
    return key === undefined ? [] : [key];
  }
}

function idOf({ apiVersion, kind }: Kind): string {
  return `${parseApiVersion(apiVersion).group}/${kind}`;
}

const KEPT_ANNOTATIONS = [PLAN_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION, EXECUTION_UID_ANNOTATION];

/** Its identity, its owners, and which plan applied it last. */
function essenceOf(metadata: ObjectMeta): ObjectMeta {
  const { managedFields: _, annotations, finalizers: __, ...kept } = metadata;
  const marks = KEPT_ANNOTATIONS.flatMap((name) => {
    const value = annotations?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...kept, annotations: Object.fromEntries(marks) };
}

/** The Instance of an object: its controller, else the Instance in its label. */
function instanceKeyOf(object: KubeObject): string | undefined {
  const name = controllerOfKind(object, 'kudo.dev', 'Instance')?.name ?? object.metadata.labels?.[INSTANCE_LABEL];
  return name === undefined ? undefined : `${object.metadata.namespace ?? ''}/${name}`;
}

function autoscalerEssence(object: KubeObject): KubeObject {
  const { managedFields: _, annotations: __, ...metadata } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, metadata, spec: object.spec };
}
