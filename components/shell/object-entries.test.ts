import { describe, expect, it } from 'vitest';
import type { FoundName } from '@/lib/kube/object-names';
import { fitOf } from './fuzzy';
import { findEntries, type PaletteSources } from './palette-entries';

const object = (group: string, resource: string, kind: string, name: string): FoundName => ({
  ...{ group, version: 'v1', resource, kind, name },
  namespace: resource === 'nodes' ? '' : 'shop',
});
const sources: PaletteSources = {
  instances: [{ namespace: 'shop', name: 'orders-db', operatorVersionObject: undefined }],
  packages: [],
  kinds: [],
  namespaces: [],
  objects: [
    object('apps', 'deployments', 'Deployment', 'web'),
    object('apps', 'deployments', 'Deployment', 'webhook'),
    object('', 'configmaps', 'ConfigMap', 'web-settings'),
    object('', 'pods', 'Pod', 'web-5d9c'),
    object('', 'nodes', 'Node', 'node-1'),
    object('kudo.dev', 'instances', 'Instance', 'orders-db'),
  ],
};
const find = (query: string, more: Partial<PaletteSources> = {}) => findEntries(query, { ...sources, ...more });
const hrefs = (query: string) => find(query).map(({ goal }) => (goal.to === 'page' ? goal.href : ''));

describe('objects in the palette', () => {
  it('are found by name, with kind and namespace, the exact beginning first', () => {
    expect(find('web').map(({ label, kind }) => `${label}: ${kind}`)).toEqual([
      'web: Deployment in shop',
      'webhook: Deployment in shop',
      'web-settings: ConfigMap in shop',
      'web-5d9c: Pod in shop',
    ]);
    expect(hrefs('configmap web')).toEqual(['/resources/core/v1/configmaps/shop/web-settings']);
    expect(hrefs('node-1')).toEqual(['/resources/core/v1/nodes/_/node-1']);
  });

  it('lead with a verb and a number to the dialog that asks', () => {
    expect(find('scale web 3')[0]).toMatchObject({
      label: 'Scale web to 3…',
      goal: { to: 'page', href: '/resources/apps/v1/deployments/shop/web?ask=scale:3' },
    });
    expect(hrefs('scale web')[0]).toBe('/resources/apps/v1/deployments/shop/web?ask=scale');
    expect(hrefs('restart web')[0]).toBe('/resources/apps/v1/deployments/shop/web?ask=restart');
    expect(hrefs('logs web')).toContain('/resources/core/v1/pods/shop/web-5d9c/logs');
    expect(hrefs('drain node-1')).toContain('/resources/core/v1/nodes/_/node-1?ask=drain');
    expect(hrefs('delete web-settings')).toEqual(['/resources/core/v1/configmaps/shop/web-settings?ask=delete']);
  });

  it('have no entry beside that of the Instance', () => {
    expect(find('orders-db').map(({ kind }) => kind)).toEqual(['Instance in shop']);
  });

  it('keep one entry for the action that the open page offers, too', () => {
    const href = '/resources/apps/v1/deployments/shop/web?ask=restart';
    const action = { key: href, label: 'Restart web…', kind: 'Action', goal: { to: 'page', href } } as const;
    expect(find('restart web', { actions: [action] }).filter(({ key }) => key === href)).toHaveLength(1);
  });
});

describe('set in the palette', () => {
  it('leads to the form with the value filled in', () => {
    expect(hrefs('set orders REPLICAS 5')).toEqual(['/instances/shop/orders-db/parameters?set=REPLICAS&to=5']);
    expect(find('set orders NAME a b')[0]?.label).toBe('Set NAME of orders-db to a b…');
  });

  it('puts no secret value into an address or a list', () => {
    const [found] = find('set orders PASSWORD hunter2');
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(found?.goal).toEqual({ to: 'page', href: '/instances/shop/orders-db/parameters?set=PASSWORD' });
  });
});

describe('recent and fuzzy', () => {
  const place = {
    href: '/resources/core/v1/configmaps/shop/web-settings',
    label: 'web-settings',
    note: 'ConfigMap in shop',
  };
  const places = {
    seen: [place],
    favourites: [],
    views: [{ name: 'Failed in shop', href: '/instances?status=failed' }],
  };

  it('begins with what was seen last while nothing is typed', () => {
    expect(find('', { places })[0]).toMatchObject({ label: 'web-settings', kind: 'ConfigMap in shop' });
  });

  it('puts what was seen last before others that fit as well', () => {
    expect(find('web', { places })[0]?.label).toBe('web-settings');
  });

  it('finds a saved view by its name', () => {
    expect(find('failed in', { places })[0]).toMatchObject({
      kind: 'Saved view',
      goal: { href: '/instances?status=failed' },
    });
  });

  it('finds letters in their order behind what contains the words', () => {
    expect(find('odb').map(({ label }) => label)).toEqual(['orders-db']);
  });

  it.each([
    ['orders-db', 'orders', 0],
    ['orders-db', 'db', 1],
    ['orders-db', 'ers', 2],
    ['orders-db', 'odb', 3],
    ['orders-db', 'ordb', 3],
    ['orders-db', 'rdb', undefined],
    ['orders-db', 'od', undefined],
    ['postgres-gold-db', 'pgd', 3],
  ])('%s fits %s as %s', (text, word, fit) => {
    expect(fitOf(text, word)).toBe(fit);
  });
});
