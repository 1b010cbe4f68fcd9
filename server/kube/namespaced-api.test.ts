import { expect, it } from 'vitest';
import { systemRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import { startCache } from './cache';
import { namespacedApi } from './namespaced-api';
import { scriptedApi } from './test-api';

const MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const listOf = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMapList',
  metadata: { resourceVersion: namespace === 'a' ? '7' : '9' },
  items: [{ metadata: { name: 'one', namespace, uid: namespace, resourceVersion: '3' } }],
});

/** An API server that refuses what is not in the namespace a or b, as one does where an account has Roles only. */
function roles() {
  const asked: string[] = [];
  const { api, clock } = scriptedApi(({ path }) => {
    asked.push(path.split('?', 1)[0] ?? '');
    const namespace = /\/namespaces\/([ab])(\/|$|\?)/.exec(path)?.[1];
    if (namespace === undefined || /\/namespaces\/[ab]$/.test(path)) return { status: 403 };
    return path.includes('watch=') ? { status: 500 } : { body: listOf(namespace) };
  });
  return { api: namespacedApi(api, { namespaces: ['a', 'b'], clock }), clock, asked };
}

it('a list of all namespaces reads each of its own, from the resourceVersion of the first', async () => {
  const { api, asked } = roles();
  const { items, resourceVersion } = await api.list(MAPS);
  expect(items.map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
  expect([resourceVersion, asked]).toEqual([
    '7',
    ['/api/v1/namespaces/a/configmaps', '/api/v1/namespaces/b/configmaps'],
  ]);
});

it('pages follow each other as those of one list', async () => {
  const { api } = roles();
  const firsts: boolean[] = [];
  const { items } = await api.list(MAPS, { onPage: ({ isFirst }) => firsts.push(isFirst) });
  expect([firsts, items]).toEqual([[true, false], []]);
});

it('the namespaces are those of the settings, also when they may not be read', async () => {
  const { items } = await roles().api.list({ group: '', version: 'v1', resource: 'namespaces' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
});

it('a list of a cluster-scoped kind is asked as it is', async () => {
  const nodes = { group: '', version: 'v1', resource: 'nodes' };
  await expect(roles().api.list(nodes)).rejects.toThrow();
});

it('a cache holds the objects of all of its namespaces, and of no other', async () => {
  const { api, clock } = roles();
  const cache = startCache(api, MAPS, { clock, random: systemRandom, log: silentLog });
  await cache.synced;
  expect([cache.size, cache.isSynced]).toEqual([2, true]);
  expect(cache.get('b', 'one')?.metadata.uid).toBe('b');
  expect(cache.list('c')).toEqual([]);
  await cache.stop();
});
