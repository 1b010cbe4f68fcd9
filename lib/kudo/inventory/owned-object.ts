import type { Health } from '@/lib/kube/health/verdict';
import type { GroupVersionResource } from '@/lib/kube/object';

/** An object that carries an Instance's label, as the console shows it: never its content. */
export interface OwnedObject extends GroupVersionResource {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** RFC 3339, or the empty string. */
  readonly createdAt: string;
  readonly health: Health;
  /** The finalizers of an object that is being deleted; absent for every other object. */
  readonly heldBy?: readonly string[];
  readonly owner: { readonly kind: string; readonly name: string; readonly uid: string } | undefined;
  /** The plan, phase and step that applied it last; empty strings for objects that others made. */
  readonly place: { readonly plan: string; readonly phase: string; readonly step: string };
  /** One more fact, e.g. the size of a claim. */
  readonly note: string;
}

export interface OwnedObjects {
  /** By kind, then name. */
  readonly objects: readonly OwnedObject[];
  /** Resources that the person may not list, as kubectl names them: `statefulsets.apps`. */
  readonly unreadable: readonly string[];
}
