import type { JsonObject } from '@/lib/json/json';
import { type GroupVersionResource, type KubeObject, nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import type { Api, Target } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import { isOlder } from '@/server/kube/older-version';

/**
 * The newest known state of every object of a kind whose status the controller writes: the watched copy, or the result of one of our own
 * writes when that is newer.
 */
export class StatusStore<T extends KubeObject> {
  constructor(
    private readonly api: Api,
    private readonly kind: GroupVersionResource,
    private readonly cache: Cache,
    private readonly own = new Map<string, T>(),
  ) {}

  /** The same store with another client for reads and writes. */
  through(api: Api): StatusStore<T> {
    return new StatusStore(api, this.kind, this.cache, this.own);
  }

  /** Keys (`namespace/name`) of all known objects, in no order. */
  keys(): string[] {
    return this.cache.list().map(namespacedName);
  }

  get(key: string): T | undefined {
    const slash = key.indexOf('/');
    const cached = this.cache.get(key.slice(0, slash), key.slice(slash + 1)) as T | undefined;
    const own = this.own.get(key);
    if (own === undefined) return cached;
    if (cached !== undefined && own.metadata.uid === cached.metadata.uid && isOlder(cached, own)) return own;
    this.own.delete(key);
    return cached;
  }

  /** Reads live; undefined when the object does not exist. */
  async refresh(key: string): Promise<T | undefined> {
    const slash = key.indexOf('/');
    const target = { ...this.kind, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
    const live = (await this.api.get(target)) as T | undefined;
    if (live === undefined) this.own.delete(key);
    else this.own.set(key, live);
    return live;
  }

  /**
   * Replaces the status.
   *
   * @throws ConflictError when the object is not as it is known
   */
  async writeStatus(object: T, status: NonNullable<T['status']>): Promise<T> {
    const target: Target = { ...this.kind, namespace: namespaceOf(object), name: nameOf(object) };
    const written = await this.api.update(
      target,
      { ...object, status: status as JsonObject },
      { subresource: 'status' },
    );
    this.own.set(namespacedName(written), written as T);
    return written as T;
  }
}
