import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { TableColumn, TableRow } from '@/lib/kube/table';
import {
  filterListRows,
  type ListRow,
  notePrinted,
  outdated,
  parseSort,
  rowsOfObjects,
  sortListRows,
  withRows,
} from './table-rows';

const printed = (name: string, resourceVersion: string, cells: TableRow['cells'], uid = name): TableRow => ({
  name,
  namespace: 'demo',
  uid,
  resourceVersion,
  createdAt: undefined,
  isDeleting: false,
  cells,
});

const object = (name: string, resourceVersion: string, uid = name): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'demo', uid, resourceVersion },
});

const row = (name: string, cells: TableRow['cells'], createdAt?: string): ListRow => ({
  key: `demo/${name}`,
  uid: name,
  namespace: 'demo',
  name,
  createdAt,
  isDeleting: false,
  managers: [],
  cells,
});

const column = (name: string): TableColumn => ({ name, type: 'string', description: '', priority: 0 });
const names = (rows: readonly ListRow[]) => rows.map(({ name }) => name);

describe('outdated', () => {
  it('names each new state of objects without a version once, and shows their cells', () => {
    const metrics = (): KubeObject => ({
      apiVersion: 'v1',
      kind: 'PodMetrics',
      metadata: { name: 'a', namespace: 'demo' },
    });
    const rows = withRows(new Map(), [printed('a', '', ['1m'], '')]);
    const [first, second] = [metrics(), metrics()];
    expect(outdated([first], rows)).toEqual([first]);
    notePrinted([first]);
    expect(outdated([first], rows)).toEqual([]);
    expect(outdated([second], rows)).toEqual([second]);
    expect(rowsOfObjects([first], rows)[0]?.cells).toEqual(['1m']);
  });

  it('names objects that were never printed, changed since, or made anew under the same name', () => {
    const rows = withRows(new Map(), [printed('a', '1', []), printed('b', '1', []), printed('c', '1', [], 'old')]);
    const objects = [object('a', '1'), object('b', '2'), object('c', '1', 'new'), object('d', '1')];
    expect(outdated(objects, rows).map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'd']);
  });
});

describe('rowsOfObjects', () => {
  it('keeps the last printed cells until newer ones come, but never those of another object', () => {
    const rows = withRows(new Map(), [printed('a', '1', ['a', 'Running']), printed('b', '1', ['b', 'Failed'], 'old')]);
    expect(rowsOfObjects([object('a', '9'), object('b', '9', 'new')], rows).map(({ cells }) => cells)).toEqual([
      ['a', 'Running'],
      [],
    ]);
  });
});

describe('sortRows', () => {
  const columns = [column('Name'), column('Restarts'), column('Age')];
  const rows = [
    row('a', ['a', '10 (3d ago)'], '2026-01-03T00:00:00Z'),
    row('b', ['b', '9'], '2026-01-01T00:00:00Z'),
    row('c', ['c', '10 (3d ago)'], '2026-01-02T00:00:00Z'),
  ];

  it.each([
    ['Restarts', ['b', 'a', 'c']],
    ['-Restarts', ['a', 'c', 'b']],
    ['Age', ['a', 'c', 'b']],
    ['-Age', ['b', 'c', 'a']],
    ['-Name', ['c', 'b', 'a']],
    ['Nonsense', ['a', 'b', 'c']],
  ])('by %s', (sort, expected) => {
    expect(names(sortListRows(rows, columns, parseSort(sort)))).toEqual(expected);
  });
});

describe('filterRows', () => {
  it('finds words in any cell, all of them', () => {
    const rows = [row('web', ['web', 'Running']), row('db', ['db', 'Pending'])];
    expect(names(filterListRows(rows, 'demo pend'))).toEqual(['db']);
    expect(names(filterListRows(rows, ''))).toEqual(['web', 'db']);
  });
});
