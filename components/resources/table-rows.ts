import type { KubeObject } from '@/lib/kube/object';
import { ownerBadge, toolOwners } from '@/lib/kube/ownership/tool-owner';
import { cellText, type Table, type TableColumn, type TableRow } from '@/lib/kube/table';
import { liveKey } from '@/lib/live/frames';

/** A row as the list shows it: of a live object, with the cells that the API printed for it last. */
export interface ListRow {
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: string | undefined;
  readonly isDeleting: boolean;
  /** The tools outside that manage the object, as their badges say; empty for most, and until the event stream brought the object. */
  readonly managers: readonly string[];
  /** Empty until the API printed this object for the first time. */
  readonly cells: TableRow['cells'];
}

/** The printed rows by object key. */
export type PrintedRows = ReadonlyMap<string, TableRow>;

/** Rows by key, `fresh` over `known`. */
export function withRows(known: PrintedRows, fresh: readonly TableRow[]): PrintedRows {
  const merged = new Map(known);
  for (const row of fresh) merged.set(rowKey(row), row);
  return merged;
}

export function rowKey(row: Pick<TableRow, 'namespace' | 'name'>): string {
  return liveKey({ metadata: row });
}

/** The rows of a printed table, until the event stream has delivered the list. */
export function rowsOfTable(table: Table): ListRow[] {
  return table.rows.map((row) => ({ ...row, key: rowKey(row), managers: [] }));
}

/** One row an object, with what is known of its cells. */
export function rowsOfObjects(objects: readonly KubeObject[], printed: PrintedRows): ListRow[] {
  return objects.map((object) => {
    const row = printed.get(liveKey(object));
    const cells = row !== undefined && row.uid === (object.metadata.uid ?? '') ? row.cells : NOT_PRINTED;
    const known = made.get(object);
    if (known?.cells === cells) return known;
    const fresh = rowOfObject(object, cells);
    made.set(object, fresh);
    return fresh;
  });
}

const NOT_PRINTED: TableRow['cells'] = [];
/** The rows made of live objects: of ten thousand only those that changed are made anew, and drawn anew. */
const made = new WeakMap<KubeObject, ListRow>();

function rowOfObject(object: KubeObject, cells: TableRow['cells']): ListRow {
  const { name = '', namespace = '', uid = '', creationTimestamp, deletionTimestamp } = object.metadata;
  return {
    key: liveKey(object),
    uid,
    namespace,
    name,
    createdAt: creationTimestamp ?? undefined,
    isDeleting: deletionTimestamp !== undefined,
    managers: toolOwners(object).map(ownerBadge),
    cells,
  };
}

/** States of objects without a version, such as metrics, whose row was asked for. */
const asked = new WeakSet<KubeObject>();

/** Notes that the rows of these objects were asked for: one without a version cannot be compared with its row. */
export function notePrinted(objects: readonly KubeObject[]): void {
  for (const object of objects) if (isVersionless(object)) asked.add(object);
}

export function isVersionless({ metadata }: KubeObject): boolean {
  return (metadata.resourceVersion ?? '') === '';
}

/** The objects whose printed row is missing or of another version. */
export function outdated(objects: readonly KubeObject[], printed: PrintedRows): KubeObject[] {
  return objects.filter((object) => {
    if (isVersionless(object)) return !asked.has(object);
    const row = printed.get(liveKey(object));
    return row?.resourceVersion !== object.metadata.resourceVersion || row?.uid !== object.metadata.uid;
  });
}

/** Keeps the rows that hold every word in their namespace, name, a cell, or the badge of a manager. */
export function filterListRows(rows: readonly ListRow[], filter: string): readonly ListRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text =
      `${row.namespace} ${row.name} ${row.cells.map(cellText).join(' ')} ${row.managers.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Which column to sort by and how: `Name`, `-Age`. Unknown columns sort by name. */
export interface SortOrder {
  readonly column: string;
  readonly descending: boolean;
}

export function parseSort(text: string): SortOrder {
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false };
}

/** Sorted rows: ages by time, numbers by size, the rest as text; equal ones by namespace and name. */
export function sortListRows(rows: readonly ListRow[], columns: readonly TableColumn[], order: SortOrder): ListRow[] {
  const index = columns.findIndex(({ name }) => name === order.column);
  const column = columns[index];
  const direction = order.descending ? -1 : 1;
  const compare = (a: ListRow, b: ListRow): number => {
    if (order.column === NAMESPACE_COLUMN) return compareText(a.namespace, b.namespace);
    if (column === undefined) return 0;
    // The older, the larger the age.
    if (isAge(column) || isSighting(column)) return compareText(b.createdAt ?? '', a.createdAt ?? '');
    return compareCells(cellText(a.cells[index]), cellText(b.cells[index]));
  };
  return [...rows].sort(
    (a, b) => direction * compare(a, b) || compareText(a.namespace, b.namespace) || compareText(a.name, b.name),
  );
}

/** The column that the list adds when it shows several namespaces. */
export const NAMESPACE_COLUMN = 'Namespace';

/** True for a column that shows how old the object is; it is drawn from the creation time and stays current. */
export function isAge(column: TableColumn): boolean {
  return column.name === 'Age' || column.name === 'Created At';
}

/** When an event was seen; sorted by when it was made. */
function isSighting(column: TableColumn): boolean {
  return column.name === 'Last Seen' || column.name === 'First Seen';
}

function compareCells(a: string, b: string): number {
  const [numberA, numberB] = [Number.parseFloat(a), Number.parseFloat(b)];
  if (!Number.isNaN(numberA) && !Number.isNaN(numberB) && numberA !== numberB) return numberA - numberB;
  return compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
