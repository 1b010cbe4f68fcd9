import { describe, expect, it } from 'vitest';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { countGroups, filterInstances, formatTableState, parseTableState, sortInstances } from './instance-filter';

const row = (name: string, key: StatusKey, parts: Partial<InstanceRow> = {}): InstanceRow => ({
  key: `demo/${name}`,
  uid: name,
  namespace: 'demo',
  name,
  state: { key, word: key === 'FATAL_ERROR' ? 'Failed' : 'Healthy', reason: '', detail: '' },
  operator: 'postgres',
  version: '16',
  operatorVersion: 'postgres-16-1.0.0',
  newer: undefined,
  active: undefined,
  last: undefined,
  createdAt: undefined,
  instance: { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name } },
  operatorVersionObject: undefined,
  isVersionMissing: false,
  ...parts,
});

const rows = [
  row('orders', 'healthy'),
  row('ledger', 'FATAL_ERROR', { operator: 'etcd', namespace: 'finance' }),
  row('db-10', 'IN_PROGRESS'),
  row('db-9', 'healthy'),
];
const names = (found: readonly InstanceRow[]) => found.map(({ name }) => name);

describe('filterInstances', () => {
  it('finds words anywhere', () => {
    expect(names(filterInstances(rows, { query: 'ETCD led', status: undefined }))).toEqual(['ledger']);
  });

  it('looks in one field when it is named', () => {
    expect(names(filterInstances(rows, { query: 'ns:finance', status: undefined }))).toEqual(['ledger']);
    expect(names(filterInstances(rows, { query: 'status:failed operator:etcd', status: undefined }))).toEqual([
      'ledger',
    ]);
    expect(names(filterInstances(rows, { query: 'operator:led', status: undefined }))).toEqual([]);
  });

  it('narrows to a group', () => {
    expect(names(filterInstances(rows, { query: '', status: 'healthy' }))).toEqual(['orders', 'db-9']);
  });
});

describe('sortInstances', () => {
  it('puts the worst first', () => {
    expect(names(sortInstances(rows, { sort: 'status', descending: false }))).toEqual([
      'ledger',
      'db-10',
      'db-9',
      'orders',
    ]);
  });

  it('sorts names by their numbers', () => {
    expect(names(sortInstances(rows, { sort: 'name', descending: false })).slice(0, 2)).toEqual(['db-9', 'db-10']);
  });
});

describe('countGroups', () => {
  it('counts the groups that have rows, worst first', () => {
    expect(countGroups(rows)).toEqual([
      ['failed', 1],
      ['running', 1],
      ['healthy', 2],
    ]);
  });
});

describe('the state in the address', () => {
  it('is empty by default', () => {
    expect(formatTableState(parseTableState(new URLSearchParams()))).toBe('');
  });

  it('is the same after the way through the address', () => {
    const state = { query: 'ns:demo a', status: 'failed', sort: 'age', descending: true } as const;
    expect(parseTableState(new URLSearchParams(formatTableState(state)))).toEqual(state);
  });

  it('ignores invalid values', () => {
    expect(parseTableState(new URLSearchParams('sort=-nonsense&status=toString'))).toMatchObject({
      sort: 'status',
      status: undefined,
    });
  });
});

describe('a row with drift', () => {
  const rows = [row('calm', 'healthy'), row('moved', 'drifted'), row('runs', 'IN_PROGRESS'), row('sick', 'unhealthy')];

  it('is sorted after rows that are not ready, before running and healthy ones', () => {
    const names = sortInstances(rows, { sort: 'status', descending: false }).map(({ name }) => name);
    expect(names).toEqual(['sick', 'moved', 'runs', 'calm']);
  });

  it('is counted as a group of its own', () => {
    expect(countGroups(rows)).toEqual([
      ['running', 1],
      ['not-ready', 1],
      ['drifted', 1],
      ['healthy', 1],
    ]);
  });
});
