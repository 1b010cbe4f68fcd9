import type { OwnedObject } from '@/lib/kudo/owned-object';

const order = { failed: 0, progressing: 1, unknown: 2, healthy: 3 } as const;

/**
 * What is worth a line of a short list: all but what a listed owner speaks for and is not broken itself.
 *
 * @returns what is not healthy first, then by kind and name
 */
export function tellingObjects(objects: readonly OwnedObject[]): OwnedObject[] {
  const uids = new Set(objects.map(({ uid }) => uid));
  return objects
    .filter(({ kind, owner, health }) => {
      const counted = COUNTED.includes(kind) && owner !== undefined && uids.has(owner.uid);
      return !counted || health.state === 'failed';
    })
    .sort(worstFirst);
}

/** Kinds of which their owners tell how many there are and should be. */
const COUNTED: readonly string[] = ['Pod', 'ReplicaSet'];

function worstFirst(a: OwnedObject, b: OwnedObject): number {
  return order[a.health.state] - order[b.health.state] || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name);
}
