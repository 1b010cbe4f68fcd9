import { arrayAt, isJsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';

/** A column of a server-side table (Kubernetes meta/v1 TableColumnDefinition). Priority 0 is always shown. */
export interface TableColumn {
  readonly name: string;
  /** OpenAPI type: string, integer, number, boolean, date. */
  readonly type: string;
  readonly description: string;
  readonly priority: number;
}

/** A row: the cells in the order of the columns, and which object it is. `namespace` is empty for cluster scope. */
export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: string | undefined;
  readonly isDeleting: boolean;
}

/** How the API itself would print a list: what `kubectl get` shows. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Where to go on when the list was cut. */
  readonly next: string | undefined;
  /** How many rows come after these, where the API says so; 0 when none do. */
  readonly remaining: number;
}

/** What to send as `Accept` to get a table. */
export const TABLE_ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Reads a `Table`; undefined when the answer is something else (a server that knows no tables). */
export function parseTable(value: unknown): Table | undefined {
  if (!isJsonObject(value) || value.kind !== 'Table') return undefined;
  return {
    columns: arrayAt(value, 'columnDefinitions').map((column) => ({
      name: stringAt(column, 'name') ?? '',
      type: stringAt(column, 'type') ?? 'string',
      description: stringAt(column, 'description') ?? '',
      priority: numberAt(column, 'priority') ?? 0,
    })),
    rows: arrayAt(value, 'rows').map((row) => ({
      cells: arrayAt(row, 'cells'),
      namespace: stringAt(row, 'object', 'metadata', 'namespace') ?? '',
      name: stringAt(row, 'object', 'metadata', 'name') ?? '',
      uid: stringAt(row, 'object', 'metadata', 'uid') ?? '',
      resourceVersion: stringAt(row, 'object', 'metadata', 'resourceVersion') ?? '',
      createdAt: stringAt(row, 'object', 'metadata', 'creationTimestamp'),
      isDeleting: stringAt(row, 'object', 'metadata', 'deletionTimestamp') !== undefined,
    })),
    next: stringAt(value, 'metadata', 'continue') || undefined,
    remaining: numberAt(value, 'metadata', 'remainingItemCount') ?? 0,
  };
}

/** The text of a cell as kubectl prints it. */
export function cellText(cell: JsonValue | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
