import type { KubeObject } from '@/lib/kube/object';
import { type NameContext, renderName } from '@/lib/kudo/rendering/render-name';
import type { PlanObject } from './plan-metadata';

/** The live object, `undefined` when it does not exist, or why it cannot be read (a sentence). */
export type ObjectRead = KubeObject | undefined | { readonly problem: string };

/** What was read, by {@link namedObjectKey}. */
export type ObjectReads = ReadonlyMap<string, ObjectRead>;

/** An object that a precondition looks at, with its name in the cluster. */
export interface NamedObject extends PlanObject {
  readonly realName: string;
}

export function namedObjectKey({ apiVersion, kind, realName }: NamedObject): string {
  return `${apiVersion} ${kind} ${realName}`;
}

/** The object with its name rendered, or a sentence that says why there is none. */
export function nameObject(object: PlanObject, context: NameContext): NamedObject | { readonly problem: string } {
  const realName = renderName(`the name of ${object.kind} "${object.name}"`, object.objectName, context);
  return typeof realName === 'string' ? { ...object, realName } : realName;
}
