/** A list that keeps its order while somebody points at it. */
export interface HeldRows<R> {
  /** In the order of the moment at which it was held; each row with what is known of it now. */
  readonly shown: readonly R[];
  /** How many came since; they are not among `shown`. */
  readonly waiting: number;
  /** Keys of rows among `shown` that are gone meanwhile. */
  readonly gone: ReadonlySet<string>;
}

const NONE_GONE: ReadonlySet<string> = new Set();

/**
 * What is drawn of `rows` while the order of `held` is kept: nothing changes its place, rows that are gone stay as they were, new
 * ones wait. Without `held` the rows as they are.
 */
export function heldRows<R extends { readonly key: string }>(
  rows: readonly R[],
  held: readonly R[] | undefined,
): HeldRows<R> {
  if (held === undefined || held === rows) return { shown: rows, waiting: 0, gone: NONE_GONE };
  const now = new Map(rows.map((row) => [row.key, row]));
  const gone = new Set<string>();
  const shown = held.map((row) => {
    const current = now.get(row.key);
    if (current === undefined) gone.add(row.key);
    return current ?? row;
  });
  return { shown, waiting: rows.length - (held.length - gone.size), gone };
}
