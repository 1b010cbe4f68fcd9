/** A row that can be selected: by the uid of its object, so that another object of the same name is not selected. */
export interface SelectableRow {
  /** Empty while it is not known; such a row cannot be selected. */
  readonly uid: string;
}

/**
 * The selected rows of one list. It lives outside of React's state: of 50,000 rows only the boxes whose answer changes are drawn again, and a change
 * costs what changes. Rows that the list loses stay selected until somebody clears them, so that the bar can say so.
 */
export class RowSelection<R extends SelectableRow> {
  private readonly chosen = new Map<string, R>();
  private readonly listeners = new Set<() => void>();
  /** Where a range begins. */
  private anchor: string | undefined;
  /** What the last extension added; the next one replaces it. */
  private extension: readonly string[] = [];
  private changes = 0;

  /** For useSyncExternalStore; bound, so that it keeps its identity. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Another number after each change. */
  readonly version = (): number => this.changes;

  get size(): number {
    return this.chosen.size;
  }

  has(uid: string): boolean {
    return this.chosen.has(uid);
  }

  /** As they were when they were selected, in that order. */
  rows(): readonly R[] {
    return [...this.chosen.values()];
  }

  /** Selects a row, or takes it out; a range begins here. */
  toggle(row: R): void {
    if (row.uid === '') return;
    if (!this.chosen.delete(row.uid)) this.chosen.set(row.uid, row);
    this.anchor = row.uid;
    this.extension = [];
    this.changed();
  }

  /** Selects all from the row that was toggled last up to this one, instead of what the extension before selected. */
  extend(shown: readonly R[], to: R): void {
    const end = shown.findIndex(({ uid }) => uid === to.uid);
    if (end < 0 || to.uid === '') return;
    const found = shown.findIndex(({ uid }) => uid !== '' && uid === this.anchor);
    const start = found < 0 ? end : found;
    if (found < 0) this.anchor = to.uid;
    for (const uid of this.extension) this.chosen.delete(uid);
    const range = shown.slice(Math.min(start, end), Math.max(start, end) + 1).filter(({ uid }) => uid !== '');
    // What was selected before the range came stays when the range shrinks.
    this.extension = range.filter(({ uid }) => uid !== this.anchor && !this.chosen.has(uid)).map(({ uid }) => uid);
    for (const row of range) this.chosen.set(row.uid, row);
    this.changed();
  }

  /** Selects all of these rows, in addition to what is selected. */
  add(rows: readonly R[]): void {
    for (const row of rows) if (row.uid !== '') this.chosen.set(row.uid, row);
    this.extension = [];
    this.changed();
  }

  /** Takes rows out by their uids. */
  drop(uids: Iterable<string>): void {
    for (const uid of uids) this.chosen.delete(uid);
    this.extension = [];
    this.changed();
  }

  clear(): void {
    if (this.chosen.size === 0) return;
    this.chosen.clear();
    this.anchor = undefined;
    this.extension = [];
    this.changed();
  }

  private changed(): void {
    this.changes++;
    for (const listener of this.listeners) listener();
  }
}

/** What a selection is among the rows of its list. */
export interface SelectionSurvey<R> {
  /** Selected and in the list, as the list has them now. */
  readonly present: readonly R[];
  /** How many of `present` the filter hides. */
  readonly hidden: number;
  /** Selected, and not in the list any more. */
  readonly vanished: readonly R[];
}

/**
 * Compares a selection with its list.
 *
 * @param all the rows of the list without its filter
 * @param shown those that the filter leaves
 */
export function surveySelection<R extends SelectableRow>(
  selection: RowSelection<R>,
  all: readonly R[],
  shown: readonly R[],
): SelectionSurvey<R> {
  if (selection.size === 0) return { present: [], hidden: 0, vanished: [] };
  const present = all.filter(({ uid }) => selection.has(uid));
  const inView = all === shown ? present.length : shown.filter(({ uid }) => selection.has(uid)).length;
  const hidden = Math.max(0, present.length - inView);
  if (present.length === selection.size) return { present, hidden, vanished: [] };
  const uids = new Set(present.map(({ uid }) => uid));
  return { present, hidden, vanished: selection.rows().filter(({ uid }) => !uids.has(uid)) };
}

/** The box in the head of the table: `all` only when every shown row that can be selected is. */
export function headState<R extends SelectableRow>(
  selection: RowSelection<R>,
  shown: readonly R[],
): 'none' | 'some' | 'all' {
  if (selection.size === 0) return 'none';
  const isAll = selection.size >= shown.length && shown.every(({ uid }) => uid === '' || selection.has(uid));
  return isAll ? 'all' : 'some';
}
