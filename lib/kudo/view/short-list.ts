import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';

const order = { failed: 0, progressing: 1, unknown: 2, healthy: 3 } as const;

/**
 * The objects for a short list: pods and ReplicaSets are left out when their owner is listed, unless they failed themselves.
 *
 * @returns objects that are not healthy first, then by kind and name
 */
export function shortList(objects: readonly OwnedObject[]): OwnedObject[] {
  const uids = new Set(objects.map(({ uid }) => uid));
  return objects
    .filter(({ kind, owner, health }) => {
      const counted = COUNTED.includes(kind) && owner !== undefined && uids.has(owner.uid);
      return !counted || health.state === 'failed';
    })
    .sort(worstFirst);
}

/** Kinds that the status of their owner counts. */
const COUNTED: readonly string[] = ['Pod', 'ReplicaSet'];

function worstFirst(a: OwnedObject, b: OwnedObject): number {
  return order[a.health.state] - order[b.health.state] || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name);
}
