import type { JsonObject, JsonValue } from '@/lib/json/json';

/** `metadata.ownerReferences[]` (Kubernetes meta/v1 OwnerReference). */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** `metadata` of any object (Kubernetes meta/v1 ObjectMeta). Times are RFC 3339 text. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: JsonValue[];
}

/** Any Kubernetes object as plain JSON. `spec`, `status`, `data` and the rest stay untyped here. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec?: unknown;
  status?: unknown;
  [key: string]: unknown;
}

/** A group, version and kind. The core group is the empty string. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** A group, version and plural resource name, as they stand in a URL. The core group is the empty string. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** What discovery says of one resource (Kubernetes meta/v1 APIResource with its group and version). */
export interface ResourceType extends GroupVersionResource {
  kind: string;
  singular: string;
  namespaced: boolean;
  verbs: readonly string[];
  shortNames: readonly string[];
  categories: readonly string[];
  /** Names of subresources, e.g. `status`, `scale`, `log`. */
  subresources: readonly string[];
}

/** `apps/v1` → group `apps`, version `v1`; `v1` → the core group. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The reverse of {@link parseApiVersion}. */
export function formatApiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group, version and kind of an object. */
export function kindOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** `metadata.name`, or the empty string. */
export function nameOf(object: Pick<KubeObject, 'metadata'>): string {
  return object.metadata.name ?? '';
}

/** `metadata.namespace`, or the empty string for cluster-scoped objects. */
export function namespaceOf(object: Pick<KubeObject, 'metadata'>): string {
  return object.metadata.namespace ?? '';
}

/** `namespace/name`, or `/name` for cluster-scoped objects. */
export function namespacedName(object: Pick<KubeObject, 'metadata'>): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

/** The owner with `controller: true`, if there is one. */
export function controllerOf(object: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** True when the value has `apiVersion`, `kind` and a `metadata` object; used at every border. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const candidate = value as JsonObject;
  return (
    typeof candidate.apiVersion === 'string' &&
    typeof candidate.kind === 'string' &&
    typeof candidate.metadata === 'object' &&
    candidate.metadata !== null &&
    !Array.isArray(candidate.metadata)
  );
}
