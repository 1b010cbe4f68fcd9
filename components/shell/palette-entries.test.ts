import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '@/lib/kudo/types';
import { findEntries, type PaletteSources } from './palette-entries';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'postgres-16.9-1.1.0' },
  spec: { plans: { deploy: {}, backup: {}, restore: {} } },
};
const kind = (name: string, resource: string, shortNames: string[] = []) => ({
  group: '',
  version: 'v1',
  resource,
  kind: name,
  namespaced: true,
  shortNames,
  verbs: ['list'],
  custom: false,
});
const sources: PaletteSources = {
  instances: [
    { namespace: 'shop', name: 'orders-db', operatorVersionObject: version },
    { namespace: 'demo', name: 'install-log', operatorVersionObject: undefined },
  ],
  packages: [
    { name: 'postgres', key: '16.9-1.1.0' },
    { name: 'postgres', key: '16.8-1.0.0' },
  ],
  kinds: [kind('ConfigMap', 'configmaps', ['cm']), kind('Pod', 'pods', ['po'])],
  namespaces: ['demo', 'shop'],
};
const find = (query: string) => findEntries(query, sources);
const labels = (query: string) => find(query).map(({ label }) => label);

describe('findEntries', () => {
  it('shows pages, instances and operators when nothing is typed', () => {
    expect(labels('')).toEqual([
      'Overview',
      'Instances',
      'Runs',
      'Schedules',
      'Operators',
      'Install an operator',
      'Workshop',
      'Resources',
      'Repositories',
      'Activity',
      'Usage',
      'Roles',
      'Clusters',
      'Settings',
      'Status',
      'Create from YAML',
      'orders-db',
      'install-log',
      'postgres',
    ]);
  });

  it('puts what other clusters have behind what this one has, at most eight', () => {
    const match = (name: string) => ({
      ...{ cluster: 'staging', title: 'Staging', kind: 'Instance', namespace: 'demo', name },
      path: `/c/staging/instances/demo/${name}`,
    });
    const elsewhere = Array.from({ length: 20 }, (_, at) => match(`orders-${at}`));
    const found = findEntries('orders-db', { ...sources, elsewhere });
    expect(found.map(({ label }) => label)[0]).toBe('orders-db');
    const others = found.filter(({ goal }) => goal.to === 'cluster');
    expect(others).toHaveLength(8);
    expect(others[0]).toMatchObject({
      kind: 'Instance in demo, cluster Staging',
      goal: { to: 'cluster', address: '/c/staging/instances/demo/orders-0' },
    });
  });

  it('puts what begins with the words first', () => {
    expect(labels('o').slice(0, 3)).toEqual(['Overview', 'Operators', 'orders-db']);
    expect(labels('install po')).toEqual(['Install postgres']);
  });

  it('leads to a tab of an instance', () => {
    expect(find('orders logs')).toEqual([
      {
        key: '/instances/shop/orders-db/logs',
        label: 'orders-db logs',
        kind: 'Instance in shop',
        goal: { to: 'page', href: '/instances/shop/orders-db/logs' },
      },
    ]);
  });

  it('leads to an operator in its best version, and to its installation', () => {
    expect(find('postgres').map(({ label, goal }) => [label, goal])).toEqual([
      ['postgres', { to: 'page', href: '/operators/postgres/16.9-1.1.0' }],
      ['Install postgres', { to: 'page', href: '/install?operator=postgres&version=16.9-1.1.0' }],
    ]);
  });

  it('finds a kind by its name, its plural and its short name', () => {
    for (const query of ['ConfigMap', 'configmaps', 'cm']) {
      expect(find(query)[0]?.goal, query).toEqual({ to: 'page', href: '/resources/core/v1/configmaps' });
    }
  });

  it('leads to the form of a kind that an operator brings', () => {
    const pond = { ...kind('Pond', 'ponds'), group: 'example.com', verbs: ['list', 'create'], operator: 'pond' };
    const found = findEntries('new pond', { ...sources, kinds: [pond, { ...kind('Pod', 'pods'), verbs: ['create'] }] });
    expect(found.map(({ label, goal }) => [label, goal])).toEqual([
      ['New Pond', { to: 'page', href: '/resources/example.com/v1/ponds/new' }],
    ]);
  });

  it('asks on the page of the instance before a plan runs or it is deleted', () => {
    expect(find('back up orders')[0]?.goal).toEqual({ to: 'page', href: '/instances/shop/orders-db?ask=backup' });
    expect(find('backup orders')[0]?.label).toBe('Back up orders-db…');
    expect(find('delete orders')[0]?.goal).toEqual({ to: 'page', href: '/instances/shop/orders-db?ask=delete' });
    expect(find('backup install-log')).toEqual([]);
  });

  it('changes the theme and the namespace scope', () => {
    expect(find('dark')[0]?.goal).toEqual({ to: 'theme', theme: 'dark' });
    expect(find('namespace shop')[0]?.goal).toEqual({ to: 'namespace', namespace: 'shop' });
    expect(find('all namespaces')[0]?.goal).toEqual({ to: 'namespace', namespace: undefined });
  });

  it('finds nothing for words that are nowhere', () => {
    expect(labels('zzz')).toEqual([]);
  });

  it('gives each entry a key of its own', () => {
    const keys = find('o').map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
