import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type DefinedKind, definedKinds, definitionOf, isDefined } from '@/lib/kudo/rendering/defined-kinds';
import type { TaskContext } from './context';

/**
 * The CustomResourceDefinitions among the objects of a task that must be served before its other objects can be applied. Usually there
 * is none, and that costs no request.
 */
export async function definitionsFirst(
  objects: readonly KubeObject[],
  context: Pick<TaskContext, 'kinds'>,
): Promise<{ definitions: KubeObject[]; missing: string[] }> {
  const definitions = new Set<KubeObject>();
  const missing = new Set<string>();
  const isKnown = ({ apiVersion, kind }: KubeObject): boolean => context.kinds.known(apiVersion, kind) !== undefined;
  const kinds = objects.every(isKnown) ? new Map<string, DefinedKind>() : definedKinds(objects);
  for (const object of objects) {
    const { apiVersion, kind } = object;
    if (isKnown(object) || !isDefined(kinds, object)) continue;
    if ((await context.kinds.resolve(apiVersion, kind)) !== undefined) continue;
    const definition = definitionOf(kinds, object)?.definition;
    if (definition === undefined) continue;
    definitions.add(definition);
    missing.add(`waits until the cluster serves the kind ${kind} in ${apiVersion}, defined by ${nameOf(definition)}`);
  }
  return { definitions: [...definitions], missing: [...missing] };
}
