import type { InstanceRow } from './instance-row';
import { driftedState } from './instance-state';

/** How many objects of an Instance are not as its last plan left them, by `namespace/name`; those without are left out. */
export type DriftMarks = { readonly [key: string]: number };

/** What one answer tells of; see app/api/instances/drift. */
export const BATCH = 60;

/** Lists up to this length know the marks of all their rows, and sort by them; longer ones those of the rows in view. */
export const MOST_MARKED = 5 * BATCH;

/**
 * The Instances that are well, as `namespace/name@resourceVersion`, in batches for one question each. A batch is cut from all rows by
 * name, so that one that begins a plan changes its own batch alone.
 */
export function batchesOf(rows: readonly Pick<InstanceRow, 'key' | 'state' | 'instance'>[]): string[] {
  const sorted = [...rows].sort((a, b) => (a.key < b.key ? -1 : 1));
  const batches: string[] = [];
  for (let at = 0; at < sorted.length; at += BATCH) {
    const words = sorted
      .slice(at, at + BATCH)
      .filter(({ state }) => state.key === 'healthy')
      .map(({ key, instance }) => `${key}@${instance.metadata.resourceVersion ?? ''}`);
    if (words.length > 0) batches.push(words.join(' '));
  }
  return batches;
}

/** The rows with drift as a state of their own; a row without it keeps its identity. */
export function withDrift(rows: readonly InstanceRow[], marks: DriftMarks): readonly InstanceRow[] {
  if (Object.keys(marks).length === 0) return rows;
  return rows.map((row) => {
    const state = driftedState(row.state, marks[row.key] ?? 0);
    return state === row.state ? row : { ...row, state };
  });
}
