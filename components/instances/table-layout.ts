import type { SortColumn } from './instance-filter';

/**
 * The columns of the table, their order and width. The status is always shown, and first. Widths are shares of the table's
 * width, so that they fit every window.
 */
export interface TableLayout {
  readonly columns: readonly ColumnLayout[];
}

export interface ColumnLayout {
  readonly column: SortColumn;
  readonly isShown: boolean;
  /** Its share, relative to the shares of the others. */
  readonly share: number;
}

/** A cookie, because the server renders the first view, which must not jump afterwards. */
export const COLUMNS_COOKIE = 'bravo-columns';

export const DEFAULT_LAYOUT: TableLayout = {
  columns: [
    { column: 'status', isShown: true, share: 300 },
    { column: 'name', isShown: true, share: 190 },
    { column: 'namespace', isShown: true, share: 120 },
    { column: 'operator', isShown: true, share: 160 },
    { column: 'plan', isShown: true, share: 160 },
    { column: 'age', isShown: true, share: 70 },
  ],
};

const LEAST_SHARE = 50;
const MOST_SHARE = 900;
const ENTRY = /^(-?)([a-z]+):(\d{1,4})$/;

/** Columns that cannot be hidden. */
const ALWAYS: readonly SortColumn[] = ['status', 'name'];

/** The text of the cookie: `status:300.name:190.-namespace:120`; a dash hides. Undefined for the default layout. */
export function formatLayout({ columns }: TableLayout): string | undefined {
  const write = (list: readonly ColumnLayout[]) =>
    list.map(({ column, isShown, share }) => `${isShown ? '' : '-'}${column}:${share}`).join('.');
  const text = write(columns);
  return text === write(DEFAULT_LAYOUT.columns) ? undefined : text;
}

/** The layout of a cookie's text. Columns that it does not name have their default place; unknown columns are left out. */
export function parseLayout(text: string | undefined): TableLayout {
  const known = new Map<SortColumn, ColumnLayout>();
  for (const entry of (text ?? '').split('.')) {
    const [, dash, name, share] = ENTRY.exec(entry) ?? [];
    const found = DEFAULT_LAYOUT.columns.find(({ column }) => column === name);
    if (found === undefined || share === undefined) continue;
    const isShown = dash === '' || ALWAYS.includes(found.column);
    known.set(found.column, { column: found.column, isShown, share: clampShare(Number(share)) });
  }
  const missing = DEFAULT_LAYOUT.columns.filter(({ column }) => !known.has(column));
  const columns = [...known.values(), ...missing];
  const isStatus = ({ column }: ColumnLayout) => column === 'status';
  return { columns: [...columns.filter(isStatus), ...columns.filter((one) => !isStatus(one))] };
}

/** True for a column that may be hidden. */
export function mayHide(column: SortColumn): boolean {
  return !ALWAYS.includes(column);
}

/** The layout with a column shown or hidden. */
export function withShown({ columns }: TableLayout, column: SortColumn, isShown: boolean): TableLayout {
  return {
    columns: columns.map((one) => (one.column === column && mayHide(column) ? { ...one, isShown } : one)),
  };
}

/** The layout with a column one place earlier (-1) or later (1); never before the status. */
export function moved({ columns }: TableLayout, column: SortColumn, by: -1 | 1): TableLayout {
  const from = columns.findIndex((one) => one.column === column);
  const to = from + by;
  const [a, b] = [columns[from], columns[to]];
  if (a === undefined || b === undefined || from === 0 || to === 0) return { columns };
  return { columns: columns.map((one, at) => (at === from ? b : at === to ? a : one)) };
}

/** The layout with a shown column wider by that share, and the next shown one narrower. */
export function resized({ columns }: TableLayout, column: SortColumn, by: number): TableLayout {
  const shown = columns.filter(({ isShown }) => isShown);
  const at = shown.findIndex((one) => one.column === column);
  const [own, next] = [shown[at], shown[at + 1]];
  if (own === undefined || next === undefined) return { columns };
  const most = next.share - LEAST_SHARE;
  const step = Math.round(Math.max(LEAST_SHARE - own.share, Math.min(by, most)));
  const change = (one: ColumnLayout): ColumnLayout => {
    if (one === own) return { ...one, share: one.share + step };
    return one === next ? { ...one, share: one.share - step } : one;
  };
  return { columns: columns.map(change) };
}

/** The sum of the shares of the shown columns. */
export function shareSum({ columns }: TableLayout): number {
  return columns.reduce((total, { isShown, share }) => total + (isShown ? share : 0), 0);
}

/** The width of a shown column in percent of the table. */
export function percentOf(layout: TableLayout, column: SortColumn): number {
  const own = layout.columns.find((one) => one.column === column && one.isShown)?.share ?? 0;
  return Math.round((own / shareSum(layout)) * 1_000) / 10;
}

function clampShare(share: number): number {
  return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share));
}
