import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { applyObject } from './apply-object';
import type { TaskContext } from './context';

/** Kinds that only hold data: nothing acts upon one before somebody reads it, so no order among them can be seen. */
const DATA_KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);
/** Objects of one group at the most: so many are written, and read ahead, at the same time. */
export const WRITTEN_AT_ONCE = 8;

/**
 * Applies objects in their order and gives them as they are then. Neighbours that only hold data are written at the same
 * time; what comes after them waits for all of them (KUDO: files in random order, T-13). When several fail, the first in the
 * order counts, and nothing of this call is under way any more.
 */
export async function applyAll(objects: readonly KubeObject[], context: TaskContext): Promise<KubeObject[]> {
  const results: KubeObject[] = [];
  for (const group of groupsOf(objects)) {
    const outcomes = await Promise.allSettled(group.map((object) => applyObject(object, context)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
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
