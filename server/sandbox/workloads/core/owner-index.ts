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
      addTo(this.dependents, owner.uid, uid);
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
    const found = this.present(this.orphans.get(`${resource}/${namespace}`), resource);
    return found.filter((object) => controllerOf(object) === undefined);
  }

  /** The dependents of one resource as they are now, in the order in which they were first seen. */
  dependentsOf(ownerUid: string, resource: string): KubeObject[] {
    return this.present(this.dependents.get(ownerUid), resource);
  }

  private present(uids: ReadonlySet<string> | undefined, resource: string): KubeObject[] {
    const found: KubeObject[] = [];
    for (const uid of uids ?? NONE) {
      const entry = this.byUid.get(uid);
      const object = entry?.key.resource === resource ? this.api.get(entry.key) : undefined;
      if (object?.metadata.uid === uid) found.push(object);
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
    if (controllerOf(object) === undefined) addTo(this.orphans, key, uid);
    else this.orphans.get(key)?.delete(uid);
  }

  private forgetOwners(uid: string, object: KubeObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const set = this.dependents.get(owner.uid);
      set?.delete(uid);
      if (set?.size === 0) this.dependents.delete(owner.uid);
    }
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, uid: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([uid]));
  else set.add(uid);
}

/** The key of an object of a resource. */
export function keyOf(
  { group, version, resource }: GroupVersionResource,
  object: Pick<KubeObject, 'metadata'>,
): ObjectKey {
  const namespace = namespaceOf(object);
  return { group, version, resource, name: nameOf(object), ...(namespace === '' ? {} : { namespace }) };
}

function revisionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion ?? 0);
}
