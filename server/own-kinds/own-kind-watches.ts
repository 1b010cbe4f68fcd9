import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import { type GroupVersionResource, type KubeObject, nameOf, namespacedName } from '@/lib/kube/object';
import { OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import type { Api } from '@/server/kube/api';
import { type Cache, type CacheOptions, startCache } from '@/server/kube/cache';
import { CRDS } from '@/server/kube/install-crds';

/** A resource of an own kind, as it is watched. */
export interface WatchedResource {
  readonly resource: KubeObject;
  /** The name of the operator that brings the kind. */
  readonly operator: string;
  /** At the storage version. */
  readonly target: GroupVersionResource;
  /** Of the CRD. */
  readonly crd: string;
}

interface WatchedKind {
  readonly operator: string;
  readonly target: GroupVersionResource;
  readonly cache: Cache;
}

/** @param key see {@link OwnKindWatches} */
type Listener = (key: string) => void;

/** A controller that may not read CRDs is told so once in a while, and no more often. */
const RETRY_REFUSED = { floorMs: 60_000, ceilingMs: 600_000 } as const;

/**
 * Watches the CRDs that operators brought, and the resources of each kind at its storage version. A resource has the key
 * `CRD/NAMESPACE/NAME`. A controller of some namespaces watches none: CRDs belong to the whole cluster.
 */
export class OwnKindWatches {
  private readonly kinds = new Map<string, WatchedKind>();
  private readonly listeners = new Set<Listener>();
  private readonly ending = new Set<Promise<void>>();
  private readonly crds: Cache | undefined;

  constructor(
    private readonly api: Api,
    private readonly options: CacheOptions,
  ) {
    if ((api.namespaces ?? []).length > 0) return;
    const selectors = { labelSelector: OWN_KIND_LABEL };
    this.crds = startCache(api, { ...CRDS }, { ...options, selectors, shrink: essence, retryRefused: RETRY_REFUSED });
    this.crds.onChange(({ type, object }) => this.onCrd(object, type === 'DELETED'));
  }

  /** Calls the listener for every resource that changes; the result unsubscribes. */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get(key: string): WatchedResource | undefined {
    const [crd = '', namespace = '', name = ''] = key.split('/');
    const kind = this.kinds.get(crd);
    const resource = kind?.cache.get(namespace, name);
    if (kind === undefined || resource === undefined) return undefined;
    return { resource, operator: kind.operator, target: kind.target, crd };
  }

  /** Keys of all resources, or of those in one namespace, in no order. */
  keys(namespace?: string): string[] {
    return [...this.kinds].flatMap(([crd, { cache }]) =>
      cache.list(namespace).map((object) => `${crd}/${namespacedName(object)}`),
    );
  }

  /** Keys of the resources that have the name of an object, such as an Instance. */
  namedLike(key: string): string[] {
    return [...this.kinds.keys()].map((crd) => `${crd}/${key}`).filter((each) => this.get(each) !== undefined);
  }

  async stop(): Promise<void> {
    const caches = [...this.kinds.values()].map(({ cache }) => cache.stop());
    await Promise.all([this.crds?.stop(), ...caches, ...this.ending]);
  }

  private onCrd(crd: KubeObject, isGone: boolean): void {
    const name = nameOf(crd);
    const known = this.kinds.get(name);
    const target = isGone ? undefined : resourceTarget(crd);
    if (known !== undefined && known.target.version !== target?.version) {
      this.kinds.delete(name);
      const ended = known.cache.stop().finally(() => this.ending.delete(ended));
      this.ending.add(ended);
    }
    // The finalizers of its resources wait for what becomes of their Instances.
    if ((crd.metadata.deletionTimestamp ?? '') !== '') this.tell(name, this.kinds.get(name)?.cache.list() ?? []);
    if (target === undefined || this.kinds.has(name)) return;
    const cache = startCache(this.api, { ...target }, { ...this.options, shrink: withoutManagedFields });
    cache.onChange(({ object }) => this.tell(name, [object]));
    this.kinds.set(name, { operator: crd.metadata.labels?.[OWN_KIND_LABEL] ?? '', target, cache });
  }

  private tell(crd: string, objects: readonly KubeObject[]): void {
    for (const object of objects) for (const listener of this.listeners) listener(`${crd}/${namespacedName(object)}`);
  }
}

/** Undefined while the CRD is not served. */
function resourceTarget(crd: KubeObject): GroupVersionResource | undefined {
  const isServed = arrayAt(crd, 'status', 'conditions').some(
    (each) => isJsonObject(each) && each.type === 'Established' && each.status === 'True',
  );
  const storage = arrayAt(crd.spec, 'versions').find((each) => isJsonObject(each) && each.storage === true);
  const [group, version] = [stringAt(crd.spec, 'group'), stringAt(storage, 'name')];
  const resource = stringAt(crd.spec, 'names', 'plural');
  if (!isServed || group === undefined || version === undefined || resource === undefined) return undefined;
  return { group, version, resource };
}

/** A CRD without its schemas. */
function essence(crd: KubeObject): KubeObject {
  const versions = arrayAt(crd.spec, 'versions').map((each) => ({
    name: stringAt(each, 'name') ?? '',
    storage: isJsonObject(each) && each.storage === true,
  }));
  const spec = isJsonObject(crd.spec) ? crd.spec : {};
  return { ...withoutManagedFields(crd), spec: { group: spec.group ?? '', names: spec.names ?? {}, versions } };
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
