import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { type NameContext, renderName } from '@/lib/kudo/rendering/render-name';
import type { ReadObject } from './live-values';

/**
 * On an object, a list of namespaces separated by commas, or `*`: whose Instances may read it from there. Without it only Instances of its own
 * namespace read it: whoever may write an OperatorVersion must not read, with the permissions of the controller, what is elsewhere.
 */
export const READABLE_FROM_ANNOTATION = 'bravo.kudo.dev/readable-from';

/** An object to read, with its name and namespace in the cluster. */
export interface NamedRead {
  readonly read: ReadObject;
  readonly name: string;
  readonly namespace: string;
}

/** The read with its names rendered, or a sentence that says why there is none. */
export function nameRead(read: ReadObject, context: NameContext): NamedRead | { readonly problem: string } {
  const of = `${read.kind} "${read.id}"`;
  const name = renderName(`the name of ${of}`, read.name, context);
  if (typeof name !== 'string') return name;
  if (read.namespace === undefined) return { read, name, namespace: namespaceOf(context.instance) };
  const namespace = renderName(`the namespace of ${of}`, read.namespace, context);
  return typeof namespace === 'string' ? { read, name, namespace } : namespace;
}

/** True for an object that Instances of that namespace may read: one of their own, a cluster-scoped one, or one that says so. */
export function isReadableFrom(object: KubeObject, namespace: string): boolean {
  const home = object.metadata.namespace ?? '';
  if (home === '' || home === namespace) return true;
  const allowed = (object.metadata.annotations?.[READABLE_FROM_ANNOTATION] ?? '').split(',').map((each) => each.trim());
  return allowed.includes('*') || allowed.includes(namespace);
}
