import { formatApiVersion, type KubeObject, nameOf } from '@/lib/kube/object';
import { KeptWhileNeeded } from '@/server/drift/kept-while-needed';
import type { Api, Target } from '@/server/kube/api';
import { type Cache, type CacheOptions, startCache } from '@/server/kube/cache';

/** An object by its name, in its namespace when its kind has some. */
export type WatchedObject = Required<Pick<Target, 'group' | 'version' | 'resource' | 'name'>> &
  Pick<Target, 'namespace'>;

export interface ObjectWatchesDeps {
  readonly api: Api;
  readonly cache: CacheOptions;
  /** An object that this Instance (`namespace/name`) needs may have changed. */
  related(key: string): void;
}

/**
 * One watch for each kind and namespace in which Instances need objects by name: sources of parameters, objects that tasks read, and
 * applied objects that a rule waits for. None when no Instance does. Only names and versions of objects are kept, never what
 * they hold: that is read when it is decided upon.
 */
export class ObjectWatches {
  private readonly caches = new Map<string, Cache>();
  private readonly needed: KeptWhileNeeded;
  private readonly ending = new Set<Promise<void>>();
  private readonly listeners = new Set<(key: string) => void>();
  private readonly objectsByUser = new Map<string, readonly WatchedObject[]>();

  constructor(private readonly deps: ObjectWatchesDeps) {
    this.needed = new KeptWhileNeeded(deps.cache.clock, (id) => this.end(id));
  }

  /** What an Instance needs watched from now on, and nothing else. */
  needs(key: string, objects: readonly WatchedObject[]): void {
    if (objects.length === 0 && !this.objectsByUser.delete(key)) return;
    if (objects.length > 0) this.objectsByUser.set(key, objects);
    this.needed.needs(key, objects.map(watchId));
    for (const object of objects) this.watch(object);
  }

  /** What it needs besides, until it says again what it needs. */
  alsoNeeds(key: string, object: WatchedObject): void {
    this.needs(key, [...(this.objectsByUser.get(key) ?? []), object]);
  }

  /** The listener is called with the key of each Instance that needs an object that may have changed. @returns ends that */
  onChange(listener: (key: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** No Instance needs anything, until it says so again. */
  needNothing(): void {
    this.objectsByUser.clear();
    this.needed.clear();
  }

  async stop(): Promise<void> {
    this.needed.stop();
    await Promise.all([...this.ending, ...[...this.caches.values()].map((cache) => cache.stop())]);
  }

  private watch(object: WatchedObject): void {
    const id = watchId(object);
    if (this.caches.has(id)) return;
    const { name: _, ...target } = object;
    const cache = startCache(this.deps.api, target, { ...this.deps.cache, shrink: identity });
    cache.onChange((change) => {
      for (const key of this.usersOf(id, nameOf(change.object))) {
        this.deps.related(key);
        for (const listener of this.listeners) listener(key);
      }
    });
    this.caches.set(id, cache);
  }

  private usersOf(id: string, name: string): string[] {
    const uses = (objects: readonly WatchedObject[]) =>
      objects.some((object) => object.name === name && watchId(object) === id);
    return [...this.objectsByUser].flatMap(([key, objects]) => (uses(objects) ? [key] : []));
  }

  private end(id: string): void {
    const cache = this.caches.get(id);
    if (cache === undefined) return;
    this.caches.delete(id);
    const ended = cache.stop().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}

function watchId({ group, version, resource, namespace = '' }: WatchedObject): string {
  return `${formatApiVersion(group, version)}/${resource}/${namespace}`;
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
