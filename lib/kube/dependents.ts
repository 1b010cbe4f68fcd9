import type { GroupVersionResource } from './object';

/** An object that belongs to another by `metadata.ownerReferences`. */
export interface Dependent extends GroupVersionResource {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The owners' uids. The garbage collector takes the object when the last of them has gone. */
  readonly owners: readonly string[];
}

/**
 * What goes when the objects with the given uids go: dependents, their dependents, and so on; each once, nearest first.
 * An object with another living owner stays. Cycles end.
 */
export function collectDependents(roots: readonly string[], all: readonly Dependent[]): Dependent[] {
  const going = new Set(roots);
  const collected: Dependent[] = [];
  for (;;) {
    const next = all.filter(
      ({ uid, owners }) => !going.has(uid) && owners.length > 0 && owners.every((owner) => going.has(owner)),
    );
    if (next.length === 0) return collected;
    for (const dependent of next) going.add(dependent.uid);
    collected.push(...next);
  }
}
