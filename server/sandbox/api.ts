import type { JsonValue } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';

/** A change of one object, in the order of the store's revisions. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly resource: GroupVersionResource;
}

/** Which objects: all of a resource, or those of one namespace. */
export interface ObjectScope extends GroupVersionResource {
  readonly namespace?: string | undefined;
}

export interface ObjectKey extends ObjectScope {
  readonly name: string;
}

/**
 * What the sandbox's own controllers (garbage collection, workloads, the simulated kubelet) use of the API: the verbs of
 * the HTTP server behind its authentication, with the same defaulting, validation, finalizers and admission. Reads
 * come from memory and are at once; objects are shared and must not be changed, writes take copies.
 * Failures throw `StatusError` (server/sandbox/http/status).
 */
export interface SandboxApi {
  get(key: ObjectKey): KubeObject | undefined;
  list(scope: ObjectScope): readonly KubeObject[];
  create(scope: ObjectScope, object: KubeObject): KubeObject;
  update(key: ObjectKey, object: KubeObject, options?: { subresource?: string }): KubeObject;
  /** JSON merge patch (RFC 7386). */
  patch(key: ObjectKey, patch: JsonValue): KubeObject;
  delete(key: ObjectKey, options?: SandboxDeleteOptions): void;
  /** Calls the listener for every object there is (ADDED), then for every change. The result ends it. */
  watch(scope: ObjectScope, listener: (event: ObjectEvent) => void): () => void;
  /** Calls the listener for every change of every resource from now on. */
  watchAll(listener: (event: ObjectEvent) => void): () => void;
  /** Every resource that is served now, those of CRDs included. */
  resources(): readonly ServedResource[];
}

export interface SandboxDeleteOptions {
  propagation?: 'Foreground' | 'Background' | 'Orphan';
  gracePeriodSeconds?: number;
  uid?: string;
}

export interface ServedResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
}
