import type { GroupVersionResource } from '@/lib/kube/object';

/** An object of an Instance in the report about it. */
export interface ReportedObject {
  /** `inventoryKey`: `group/kind/name`. */
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** An object that is not as the last plan left it. */
export interface DriftedObject extends ReportedObject {
  readonly state: 'missing' | 'changed';
  /** What differs, in words without secrets; empty for a missing object. */
  readonly words: string;
  /** The plan that applied it; empty when unknown. */
  readonly plan: string;
}

/** An object that an earlier plan created and that no template renders any more. */
export interface LeftoverObject extends ReportedObject, GroupVersionResource {
  readonly uid: string;
  /** RFC 3339, or the empty string. */
  readonly createdAt: string;
  /** The plan that applied it last; empty when its annotations do not say. */
  readonly plan: string;
  /** It holds data (a claim, a volume, or a definition with all objects of its kind): removed only when the person confirms that separately. */
  readonly isClaim: boolean;
  /** It is in no namespace, and others may use it: removed only when the person confirms that separately. */
  readonly isShared: boolean;
}

/** The drift and the leftovers of an Instance. Names and words only, never contents. */
export interface DriftReport {
  readonly selfHeal: boolean;
  /** Why the report is incomplete, as sentences. */
  readonly notes: readonly string[];
  readonly drifted: readonly DriftedObject[];
  readonly leftovers: readonly LeftoverObject[];
  /** The resources of the inventory: a change there is a reason to ask again. */
  readonly resources: readonly GroupVersionResource[];
  /** Resources that could not be read. */
  readonly unreadable: readonly string[];
}

/** The result of restoring or removing objects one by one. */
export interface ObjectsResult {
  readonly done: readonly ReportedObject[];
  readonly failed: readonly (ReportedObject & { readonly message: string })[];
}

/** `Service orders-db: spec.ports[0].port is 5433, the last plan left 5432`; `ConfigMap x is missing`. */
export function driftSentence(object: DriftedObject): string {
  const what = `${object.kind} ${object.name}`;
  return object.state === 'missing' ? `${what} is missing` : `${what}: ${object.words}`;
}
