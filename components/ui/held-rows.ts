/** A list that keeps its order while the mouse is over it. */
export interface HeldRows<R> {
  /** The rows in their held order, each with its current content. */
  readonly shown: readonly R[];
  /** How many rows were added since; they are not in `shown`. */
  readonly waiting: number;
  /** Keys of rows in `shown` that were deleted since. */
  readonly gone: ReadonlySet<string>;
}

const NONE_GONE: ReadonlySet<string> = new Set();

/**
 * The rows to draw while the order of `held` is kept: no row moves, deleted rows stay as they were, new rows wait. Without `held`
 * the rows as they are.
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
