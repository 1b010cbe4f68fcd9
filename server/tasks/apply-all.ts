import { inInstallOrder } from '@/lib/kube/install-order';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { codeOf, isNamespaceTerminating } from '@/server/kube/errors';
import { applyTaskObject } from './apply-object';
import type { TaskContext } from './context';

/** Kinds that only hold data: nobody can see in which order they are written. */
const DATA_KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);
/** At most so many objects are written, and read ahead, at the same time. */
export const WRITTEN_AT_ONCE = 8;

/**
 * Applies objects in the install order of their kinds. Returns them as the API server stored them, in the order of `objects`.
 * Neighbours that only hold data are written at the same time; what comes after them waits for all of them.
 *
 * An object that the API server refuses because of something else (a right, a missing object) is tried again once the others
 * are applied, as long as each round gets further. Every other error ends the call at once. When several fail, the first in
 * the order counts, and nothing of this call is under way any more.
 */
export async function applyAll(objects: readonly KubeObject[], context: TaskContext): Promise<KubeObject[]> {
  const applied = new Map<KubeObject, KubeObject>();
  let rest = inInstallOrder(objects);
  while (rest.length > 0) {
    const refused = await applyRound(rest, applied, context);
    if (refused.size === rest.length) throw refused.values().next().value;
    rest = rest.filter((object) => refused.has(object));
  }
  return objects.flatMap((object) => applied.get(object) ?? []);
}

/** Returns the refused objects, each with its error. */
async function applyRound(
  objects: readonly KubeObject[],
  applied: Map<KubeObject, KubeObject>,
  context: TaskContext,
): Promise<Map<KubeObject, unknown>> {
  const refused = new Map<KubeObject, unknown>();
  for (const group of groupsOf(objects)) {
    const outcomes = await Promise.allSettled(group.map((object) => applyTaskObject(object, context)));
    for (const [index, object] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') applied.set(object, outcome.value);
      else if (mayDependOnOthers(outcome?.reason)) refused.set(object, outcome?.reason);
      else throw outcome?.reason;
    }
  }
  return refused;
}

/**
 * True for a refusal that another object of the same task may end: a missing right (403), or an object that does not exist
 * (404), as for a RoleBinding whose Role comes later.
 */
function mayDependOnOthers(error: unknown): boolean {
  const code = codeOf(error);
  return code === 404 || (code === 403 && !isNamespaceTerminating(error));
}

/** Neighbours that may be written at the same time; the same object twice is written one after the other. */
export function groupsOf(objects: readonly KubeObject[]): KubeObject[][] {
  const groups: KubeObject[][] = [];
  let open: { group: KubeObject[]; keys: Set<string> } | undefined;
  for (const object of objects) {
    const key = `${object.kind}/${namespaceOf(object)}/${nameOf(object)}`;
    const isData = object.apiVersion === 'v1' && DATA_KINDS.has(object.kind);
    if (isData && open !== undefined && open.group.length < WRITTEN_AT_ONCE && !open.keys.has(key)) {
      open.group.push(object);
      open.keys.add(key);
      continue;
    }
    const group = [object];
    groups.push(group);
    open = isData ? { group, keys: new Set([key]) } : undefined;
  }
  return groups;
}
