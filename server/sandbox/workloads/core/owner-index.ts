import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { controllerOf, nameOf, namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent, ObjectKey, SandboxApi } from '../../api';

/** Where an object is, and what was last seen of it. */
export interface IndexedObject {
  readonly key: ObjectKey;
  readonly object: KubeObject;
}

const NONE: ReadonlySet<string> = new Set();

/** Resources whose objects controllers adopt. */
const ADOPTABLE: ReadonlySet<string> = new Set(['pods', 'replicasets', 'controllerrevisions']);

/**
 * Every object by uid, and the uids of the dependents of every owner. Fed by the store's events and by our own writes,
 * so that a controller never overlooks what it has just made; whoever needs an object's content reads it from the API.
 */
export class OwnerIndex {
  private readonly byUid = new Map<string, IndexedObject>();
  private readonly dependents = new Map<string, Set<string>>();
  /** Uids of adoptable objects without a controller, by `resource/namespace`. */
  private readonly orphans = new Map<string, Set<string>>();

  constructor(private readonly api: SandboxApi) {
    for (const resource of api.resources()) {
      for (const object of api.list(resource)) this.put(resource, object);
    }
  }

  /** Takes over a change and says what was known before. */
  observe(event: ObjectEvent): KubeObject | undefined {
    const uid = event.object.metadata.uid ?? '';
    const before = this.byUid.get(uid)?.object;
    if (event.type === 'DELETED') this.remove(uid);
    else this.put(event.resource, event.object);
    return before;
  }

  put(resource: GroupVersionResource, object: KubeObject): void {
    const uid = object.metadata.uid;
    if (uid === undefined) return;
    const before = this.byUid.get(uid);
    // The store reports changes after their commit: what we wrote ourselves may be known already, and is newer.
    if (before !== undefined && revisionOf(before.object) > revisionOf(object)) return;
    if (before !== undefined && before.object.metadata.ownerReferences !== object.metadata.ownerReferences) {
      this.forgetOwners(uid, before.object);
    }
    for (const owner of object.metadata.ownerReferences ?? []) {
      const set = this.dependents.get(owner.uid);
      if (set === undefined) this.dependents.set(owner.uid, new Set([uid]));
      else set.add(uid);
    }
    if (ADOPTABLE.has(resource.resource)) this.noteOrphan(resource.resource, uid, object);
    this.byUid.set(uid, { key: keyOf(resource, object), object });
  }

  get(uid: string): IndexedObject | undefined {
    return this.byUid.get(uid);
  }

  all(): IterableIterator<IndexedObject> {
    return this.byUid.values();
  }

  dependentUids(ownerUid: string): ReadonlySet<string> {
    return this.dependents.get(ownerUid) ?? NONE;
  }

  /** The objects of an adoptable resource in a namespace that have no controller, as they are now. */
  orphansOf(resource: string, namespace: string): KubeObject[] {
    const found: KubeObject[] = [];
    for (const uid of this.orphans.get(`${resource}/${namespace}`) ?? NONE) {
      const entry = this.byUid.get(uid);
      const object = entry === undefined ? undefined : this.api.get(entry.key);
      if (object?.metadata.uid === uid && controllerOf(object) === undefined) found.push(object);
    }
    return found;
  }

  /** The dependents of one resource as they are now, in the order in which they were first seen. */
  dependentsOf(ownerUid: string, resource: string): KubeObject[] {
    const found: KubeObject[] = [];
    for (const uid of this.dependentUids(ownerUid)) {
      const entry = this.byUid.get(uid);
      if (entry === undefined || entry.key.resource !== resource) continue;
      const object = this.api.get(entry.key);
      if (object !== undefined && object.metadata.uid === uid) found.push(object);
    }
    return found;
  }

  private remove(uid: string): void {
    const entry = this.byUid.get(uid);
    if (entry === undefined) return;
    this.forgetOwners(uid, entry.object);
    this.orphans.get(`${entry.key.resource}/${namespaceOf(entry.object)}`)?.delete(uid);
    this.byUid.delete(uid);
  }

  private noteOrphan(resource: string, uid: string, object: KubeObject): void {
    const key = `${resource}/${namespaceOf(object)}`;
    const set = this.orphans.get(key);
    if (controllerOf(object) !== undefined) set?.delete(uid);
    else if (set === undefined) this.orphans.set(key, new Set([uid]));
    else set.add(uid);
  }

  private forgetOwners(uid: string, object: KubeObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const set = this.dependents.get(owner.uid);
      set?.delete(uid);
      if (set?.size === 0) this.dependents.delete(owner.uid);
    }
  }
}

/** The key of an object of a resource. */
export function keyOf(resource: GroupVersionResource, object: Pick<KubeObject, 'metadata'>): ObjectKey {
  const namespace = namespaceOf(object);
  const { group, version } = resource;
  return {
    group,
    version,
    resource: resource.resource,
    name: nameOf(object),
    ...(namespace === '' ? {} : { namespace }),
  };
}

function revisionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion ?? 0);
}
