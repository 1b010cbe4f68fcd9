import { describe, expect, it } from 'vitest';
import { findEntries } from './palette-entries';

const rows = [
  { namespace: 'shop', name: 'orders-db' },
  { namespace: 'demo', name: 'install-log' },
];
const labels = (query: string) => findEntries(query, rows).map(({ label }) => label);

describe('findEntries', () => {
  it('shows the pages and the instances when nothing is typed', () => {
    expect(labels('')).toEqual([
      'Overview',
      'Instances',
      'Operators',
      'Install an operator',
      'Resources',
      'orders-db',
      'install-log',
    ]);
  });

  it('puts what begins with the word first', () => {
    expect(labels('o').slice(0, 3)).toEqual(['Overview', 'Operators', 'orders-db']);
  });

  it('leads to a tab of an instance', () => {
    expect(findEntries('orders logs', rows)).toEqual([
      { label: 'orders-db logs', kind: 'Instance in shop', href: '/instances/shop/orders-db/logs' },
    ]);
  });

  it('finds nothing for words that are nowhere', () => {
    expect(labels('zzz')).toEqual([]);
  });
});
