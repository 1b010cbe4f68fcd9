import type { Clock } from '@/lib/clock/clock';
import { formatTime } from '@/lib/clock/clock';
import { cloneJson, type JsonValue, jsonEqual } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject, OwnerReference } from '@/lib/kube/object';
import { formatApiVersion, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import type { ObjectEvent, SandboxApi, SandboxDeleteOptions, ServedResource } from '../../api';
import { isStatusCode } from './failures';
import { keyOf, OwnerIndex } from './owner-index';
import { WorkloadEvents } from './workload-events';

/**
 * One control loop. `keysFor` says which keys (`namespace/name`, or `/name`) a change concerns; `reconcile` takes one key and makes one
 * step. Both are synchronous: reads come from memory, writes are immediate.
 */
export interface WorkloadController {
  readonly name: string;
  /** @param before what was known of the object before this change */
  keysFor(event: ObjectEvent, before: KubeObject | undefined): Iterable<string>;
  /** Milliseconds after which to reconcile again, or undefined to wait for the next change. */
  reconcile(namespace: string, name: string): number | undefined;
}

/** What every controller works with: the API, the owner index that follows its own writes, time and events. */
export class WorkloadContext {
  readonly api: SandboxApi;
  readonly clock: Clock;
  readonly index: OwnerIndex;
  readonly events: WorkloadEvents;
  private readonly resourceByKind = new Map<string, ServedResource>();

  constructor(options: { readonly api: SandboxApi; readonly clock: Clock; readonly random: Random }) {
    this.api = options.api;
    this.clock = options.clock;
    this.index = new OwnerIndex(options.api);
    this.events = new WorkloadEvents(options);
  }

  /** The resource of a kind that is served now, undefined when there is none. Looked up anew when it is not known yet. */
  resourceOf(apiVersion: string, kind: string): ServedResource | undefined {
    const key = `${apiVersion}/${kind}`;
    if (!this.resourceByKind.has(key)) {
      this.resourceByKind.clear();
      for (const each of this.api.resources()) {
        this.resourceByKind.set(`${formatApiVersion(each.group, each.version)}/${each.kind}`, each);
      }
    }
    return this.resourceByKind.get(key);
  }

  /** A definition has changed: what is served may be other than before. */
  forgetResources(): void {
    this.resourceByKind.clear();
  }

  /** The present time as Kubernetes writes it. */
  now(): string {
    return formatTime(this.clock.now());
  }

  get(resource: GroupVersionResource, namespace: string, name: string): KubeObject | undefined {
    return this.api.get(keyOf(resource, { metadata: { name, namespace } }));
  }

  list(resource: GroupVersionResource, namespace?: string): readonly KubeObject[] {
    return this.api.list(namespace === undefined || namespace === '' ? resource : { ...resource, namespace });
  }

  create(resource: GroupVersionResource, object: KubeObject): KubeObject {
    const namespace = namespaceOf(object);
    const made = this.api.create(namespace === '' ? resource : { ...resource, namespace }, object);
    this.index.put(resource, made);
    return made;
  }

  /** Updates with a changed copy; nothing is written when `change` leaves it equal. */
  update(
    resource: GroupVersionResource,
    object: KubeObject,
    change: (copy: KubeObject) => void,
    subresource?: 'status',
  ): KubeObject {
    const copy = cloneJson(object);
    change(copy);
    if (jsonEqual(copy, object)) return object;
    const updated = this.api.update(keyOf(resource, object), copy, subresource === undefined ? {} : { subresource });
    this.index.put(resource, updated);
    return updated;
  }

  /**
   * Writes a whole status over the object as it is now; nothing is written when it is equal, or when the object was deleted
   * or another one of its name.
   */
  updateStatus(resource: GroupVersionResource, object: KubeObject, status: JsonValue): KubeObject {
    const at = keyOf(resource, object);
    const present = this.api.get(at);
    if (present === undefined || present.metadata.uid !== object.metadata.uid) return object;
    if (jsonEqual(status, present.status)) return present;
    return this.api.update(at, { ...cloneJson(present), status: cloneJson(status) }, { subresource: 'status' });
  }

  /** Deletes this very object; does nothing when it was deleted already. */
  delete(resource: GroupVersionResource, object: KubeObject, options: SandboxDeleteOptions = {}): void {
    const uid = object.metadata.uid;
    try {
      this.api.delete(keyOf(resource, object), { ...options, ...(uid === undefined ? {} : { uid }) });
    } catch (error) {
      if (!isStatusCode(error, 404, 409)) throw error;
    }
  }
}

/** The `reconcile` of a controller whose keys name objects of one resource: what is gone needs nothing. */
export function reconcileEach(
  context: WorkloadContext,
  resource: GroupVersionResource,
  reconcile: (context: WorkloadContext, object: KubeObject) => number | undefined,
): WorkloadController['reconcile'] {
  return (namespace, name) => {
    const object = context.get(resource, namespace, name);
    return object === undefined ? undefined : reconcile(context, object);
  };
}

/** `namespace/name` of an object, `/name` for cluster-scoped ones: the key in a controller's queue. */
export function queueKey(object: Pick<KubeObject, 'metadata'>): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

/** The reference with which a controller marks what it made. */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: nameOf(owner),
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
