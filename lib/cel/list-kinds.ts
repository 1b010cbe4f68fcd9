import type { CelValue } from './values';

/** What a list of a schema (`x-kubernetes-list-type: set` or `map`) does in its own way. */
export interface ListKind {
  equals(a: readonly CelValue[], b: readonly CelValue[]): boolean;
  /** `a + b`: items that are in both stay where they are in `a`. */
  add(a: readonly CelValue[], b: readonly CelValue[]): readonly CelValue[];
}

const kinds = new WeakMap<readonly CelValue[], ListKind>();

export const listKindOf = (list: readonly CelValue[]): ListKind | undefined => kinds.get(list);

/** Marks a list and returns it. */
export function withListKind(list: readonly CelValue[], kind: ListKind): readonly CelValue[] {
  kinds.set(list, kind);
  return list;
}
