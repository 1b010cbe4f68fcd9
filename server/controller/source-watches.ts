import { type KubeObject, nameOf } from '@/lib/kube/object';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance } from '@/lib/kudo/types';
import { KeptWhileNeeded } from '@/server/drift/kept-while-needed';
import type { Api } from '@/server/kube/api';
import { type Cache, type CacheOptions, startCache } from '@/server/kube/cache';
import { SOURCE_RESOURCES } from '@/server/parameters/read-sources';
import { keyOf } from './instance-store';

type SourceKind = keyof typeof SOURCE_RESOURCES;

export interface SourceWatchesDeps {
  readonly api: Api;
  readonly cache: CacheOptions;
  readonly instances: Cache;
  /** The source of a parameter of this Instance (`namespace/name`) may have changed. */
  related(key: string): void;
}

/**
 * One watch for each kind and namespace in which an Instance takes values of parameters from Secrets or ConfigMaps; none when no
 * Instance does. Only names and versions of objects are kept, never values: what a source holds is read when it is decided upon.
 */
export class SourceWatches {
  private readonly caches = new Map<string, Cache>();
  private readonly needed: KeptWhileNeeded;
  private readonly ending = new Set<Promise<void>>();
  private readonly users = new Set<string>();

  constructor(private readonly deps: SourceWatchesDeps) {
    this.needed = new KeptWhileNeeded(deps.cache.clock, (id) => this.end(id));
  }

  /** What an Instance needs watched from now on, and nothing else; undefined when it is gone. */
  needs(key: string, instance: Instance | undefined): void {
    const kinds = new Set(sourcesOf(instance?.spec).map(({ kind }) => kind));
    if (kinds.size === 0 && !this.users.delete(key)) return;
    const namespace = key.slice(0, key.indexOf('/'));
    const ids = [...kinds].map((kind) => `${kind}/${namespace}`);
    if (ids.length > 0) this.users.add(key);
    this.needed.needs(key, ids);
    for (const kind of kinds) this.watch(kind, namespace);
  }

  /** No Instance needs anything, until it says so again. */
  needNothing(): void {
    this.users.clear();
    this.needed.clear();
  }

  async stop(): Promise<void> {
    this.needed.stop();
    await Promise.all([...this.ending, ...[...this.caches.values()].map((cache) => cache.stop())]);
  }

  private watch(kind: SourceKind, namespace: string): void {
    const id = `${kind}/${namespace}`;
    if (this.caches.has(id)) return;
    const target = { group: '', version: 'v1', resource: SOURCE_RESOURCES[kind], namespace };
    const cache = startCache(this.deps.api, target, { ...this.deps.cache, shrink: identity });
    cache.onChange(({ object }) => {
      for (const key of this.usersOf(kind, namespace, nameOf(object))) this.deps.related(key);
    });
    this.caches.set(id, cache);
  }

  private usersOf(kind: SourceKind, namespace: string, name: string): string[] {
    const uses = (instance: Instance) =>
      sourcesOf(instance.spec).some((source) => source.kind === kind && source.name === name);
    return this.deps.instances
      .list(namespace)
      .filter((object) => uses(object as Instance))
      .map(keyOf);
  }

  private end(id: string): void {
    const cache = this.caches.get(id);
    if (cache === undefined) return;
    this.caches.delete(id);
    const ended = cache.stop().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}

/** Name and version of an object, and nothing of what it holds. */
function identity({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name = '', namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
}
