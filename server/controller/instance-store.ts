import { type KubeObject, nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';

export { namespacedName as keyOf };

/**
 * The newest known state of every Instance: the watched copy, or the result of one of our own writes when that is newer. Every
 * write is guarded by the resourceVersion that was decided upon, so a decision upon a stale state cannot be written; after such
 * a conflict `refresh` reads live (docs/decisions/010).
 */
export class InstanceStore {
  constructor(
    private readonly api: Api,
    private readonly cache: Cache,
    private readonly own = new Map<string, Instance>(),
  ) {}

  /** The same store with another client for reads and writes. */
  through(api: Api): InstanceStore {
    return new InstanceStore(api, this.cache, this.own);
  }

  get(key: string): Instance | undefined {
    const slash = key.indexOf('/');
    const cached = this.cache.get(key.slice(0, slash), key.slice(slash + 1)) as Instance | undefined;
    const own = this.own.get(key);
    if (own === undefined) return cached;
    if (cached !== undefined && own.metadata.uid === cached.metadata.uid && isNewer(own, cached)) return own;
    this.own.delete(key);
    return cached;
  }

  /** True for the watch event of our own write: it brings nothing new. */
  takeEcho(object: KubeObject): boolean {
    const key = namespacedName(object);
    const isEcho = this.own.get(key)?.metadata.resourceVersion === object.metadata.resourceVersion;
    if (isEcho) this.own.delete(key);
    return isEcho;
  }

  forget(key: string): void {
    this.own.delete(key);
  }

  /** Reads live; undefined when the Instance does not exist. */
  async refresh(key: string): Promise<Instance | undefined> {
    const slash = key.indexOf('/');
    const target = { ...INSTANCES, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
    const live = (await this.api.get(target)) as Instance | undefined;
    if (live === undefined) this.own.delete(key);
    else this.own.set(key, live);
    return live;
  }

  /** PUT of metadata and spec. */
  write(instance: Instance): Promise<Instance> {
    return this.put(instance, undefined);
  }

  /** PUT of the status. */
  writeStatus(instance: Instance): Promise<Instance> {
    return this.put(instance, 'status');
  }

  /** Sets annotations only; a conflict, like every write, when the Instance has changed. */
  async annotate(instance: Instance, annotations: { [key: string]: string }): Promise<Instance> {
    const target: Target = { ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) };
    const { resourceVersion = '' } = instance.metadata;
    const patch = { metadata: { annotations, resourceVersion } };
    return this.keep((await this.api.patch(target, 'merge', patch)) as Instance);
  }

  /** Stores the result without `managedFields`, as the watched copy: they would only be sent back with the next write. */
  private keep(written: Instance): Instance {
    const { managedFields: _, ...metadata } = written.metadata;
    const kept = { ...written, metadata };
    this.own.set(namespacedName(kept), kept);
    return kept;
  }

  /** Values that exist for comparison alone stay here, whoever decided with them. */
  private async put(instance: Instance, subresource: string | undefined): Promise<Instance> {
    const target: Target = { ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) };
    return this.keep((await this.api.update(target, withoutSourceValues(instance), { subresource })) as Instance);
  }
}

function isNewer(own: Instance, cached: Instance): boolean {
  const a = own.metadata.resourceVersion ?? '';
  const b = cached.metadata.resourceVersion ?? '';
  return a.length === b.length ? a > b : a.length > b.length;
}
