import { compareNames } from '@/components/ui/compare-names';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { StatusKey } from '@/lib/kudo/view/status-words';

export type SortColumn = 'status' | 'name' | 'namespace' | 'operator' | 'plan' | 'age';

/** The state of the table, as it is in the address of the page. */
export interface TableState {
  readonly query: string;
  readonly status: StatusGroup | undefined;
  readonly sort: SortColumn;
  readonly descending: boolean;
}

/** The groups that the chips above the table count. */
export type StatusGroup =
  | 'failed'
  | 'retrying'
  | 'waiting'
  | 'running'
  | 'paused'
  | 'not-ready'
  | 'unhealthy'
  | 'health-unknown'
  | 'drifted'
  | 'healthy'
  | 'deleting';

export const groupWords: { readonly [group in StatusGroup]: string } = {
  failed: 'failed',
  unhealthy: 'unhealthy',
  retrying: 'retrying',
  waiting: 'waiting',
  running: 'running',
  paused: 'paused',
  'not-ready': 'not ready',
  'health-unknown': 'health unknown',
  drifted: 'changed outside',
  deleting: 'deleting',
  healthy: 'healthy',
};

const groups: { readonly [key in StatusKey]?: StatusGroup } = {
  FATAL_ERROR: 'failed',
  failing: 'unhealthy',
  unknown: 'health-unknown',
  ERROR: 'retrying',
  waiting: 'waiting',
  IN_PROGRESS: 'running',
  PENDING: 'running',
  paused: 'paused',
  unhealthy: 'not-ready',
  drifted: 'drifted',
  deleting: 'deleting',
  healthy: 'healthy',
};

/** The group of a row; undefined for states that no chip counts. */
export function groupOf(row: Pick<InstanceRow, 'state'>): StatusGroup | undefined {
  return groups[row.state.key];
}

/** How many rows each group has, worst first; groups without rows are left out. */
export function countGroups(rows: readonly Pick<InstanceRow, 'state'>[]): [StatusGroup, number][] {
  const counts = new Map<StatusGroup, number>();
  for (const row of rows) {
    const group = groupOf(row);
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return (Object.keys(groupWords) as StatusGroup[]).flatMap((group) => {
    const count = counts.get(group);
    return count === undefined ? [] : [[group, count] as [StatusGroup, number]];
  });
}

/**
 * Rows that hold every word of the query somewhere. `field:text` looks in one field: status, name, namespace (ns),
 * operator, version, plan.
 */
export function filterInstances(
  rows: readonly InstanceRow[],
  state: Pick<TableState, 'query' | 'status'>,
): InstanceRow[] {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) => (state.status === undefined || groupOf(row) === state.status) && words.every((word) => matches(row, word)),
  );
}

function matches(row: InstanceRow, word: string): boolean {
  const [field, ...rest] = word.split(':');
  const wanted = rest.join(':');
  const fields = fieldsOf(row);
  const named = rest.length > 0 && field !== undefined ? fields.get(field) : undefined;
  if (named !== undefined) return named.toLowerCase().includes(wanted);
  return [...fields.values()].some((text) => text.toLowerCase().includes(word));
}

function fieldsOf(row: InstanceRow): Map<string, string> {
  return new Map([
    ['status', `${row.state.word} ${groupOf(row) ?? ''}`],
    ['reason', row.state.detail],
    ['name', row.name],
    ['namespace', row.namespace],
    ['ns', row.namespace],
    ['operator', row.operator],
    ['version', row.version],
    ['plan', row.active?.name ?? ''],
  ]);
}

const severity: { readonly [key in StatusKey]?: number } = {
  FATAL_ERROR: 0,
  failing: 1,
  ERROR: 1,
  waiting: 1,
  unhealthy: 2,
  unknown: 2,
  drifted: 3,
  paused: 3,
  IN_PROGRESS: 4,
  PENDING: 5,
  deleting: 6,
  healthy: 8,
};

/** Between Instances that run a plan and healthy ones. */
const OTHER = 7;

/** Sorted by a column, then by namespace and name, so that the order is the same every time. */
export function sortInstances(
  rows: readonly InstanceRow[],
  { sort, descending }: Pick<TableState, 'sort' | 'descending'>,
): InstanceRow[] {
  const direction = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) => direction * compare(a, b, sort) || a.name.localeCompare(b.name) || a.key.localeCompare(b.key),
  );
}

function compare(a: InstanceRow, b: InstanceRow, column: SortColumn): number {
  switch (column) {
    case 'status':
      return (severity[a.state.key] ?? OTHER) - (severity[b.state.key] ?? OTHER);
    case 'name':
      return compareNames(a.name, b.name);
    case 'namespace':
      return a.namespace.localeCompare(b.namespace);
    case 'operator':
      return a.operator.localeCompare(b.operator) || compareNames(a.version, b.version);
    case 'plan':
      return (a.active?.name ?? '~').localeCompare(b.active?.name ?? '~');
    case 'age':
      return (b.createdAt ?? '').localeCompare(a.createdAt ?? '');
  }
}

const COLUMNS: readonly string[] = ['status', 'name', 'namespace', 'operator', 'plan', 'age'];

/** Reads the address; invalid values are ignored. */
export function parseTableState(params: URLSearchParams): TableState {
  const sort = params.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  const status = params.get('status') ?? '';
  return {
    query: params.get('q') ?? '',
    status: Object.hasOwn(groupWords, status) ? (status as StatusGroup) : undefined,
    sort: COLUMNS.includes(column) ? (column as SortColumn) : 'status',
    descending: sort.startsWith('-'),
  };
}

/** The address of a table's state without default values: `?q=…&status=…&sort=-age`, or the empty string. */
export function formatTableState(state: TableState): string {
  const params = new URLSearchParams();
  if (state.query !== '') params.set('q', state.query);
  if (state.status !== undefined) params.set('status', state.status);
  if (state.sort !== 'status' || state.descending) params.set('sort', `${state.descending ? '-' : ''}${state.sort}`);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
