import type { InstanceRow } from './instance-row';
import { driftedState } from './instance-state';

/** How many objects of an Instance differ from what its last plans applied, by `namespace/name`; Instances without drift are left out. */
export type DriftMarks = { readonly [key: string]: number };

/** The most Instances that one request may ask about; see app/api/instances/drift. */
export const BATCH = 60;

/** Lists up to this length ask for the drift of all rows, and sort by it; longer ones only for the rows in view. */
export const MOST_MARKED = 5 * BATCH;

/**
 * The healthy Instances, as `namespace/name@resourceVersion`, in batches of one request each. All rows are divided into batches by
 * name, so that an Instance that starts a plan changes only its own batch.
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

/** The rows with the state of drift where there is some; other rows are the same objects as before. */
export function withDrift(rows: readonly InstanceRow[], marks: DriftMarks): readonly InstanceRow[] {
  if (Object.keys(marks).length === 0) return rows;
  return rows.map((row) => {
    const state = driftedState(row.state, marks[row.key] ?? 0);
    return state === row.state ? row : { ...row, state };
  });
}
