import { describe, expect, it } from 'vitest';
import type { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import { type Cache, type CacheChange, startCache } from './cache';
import { type Answer, scriptedApi, statusBody } from './test-api';

const pods = { group: '', version: 'v1', resource: 'pods' };

const pod = (name: string, version: number, uid = name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'n', uid, resourceVersion: String(version) },
});
const list = (version: number, ...items: object[]): Answer => ({
  body: { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: String(version) }, items },
});
const events = (...lines: [string, object][]): Answer => ({
  body: lines.map(([type, object]) => `${JSON.stringify({ type, object })}\n`).join(''),
});

/** Plays the responses in order; then a watch stays open and silent. */
async function play(...answers: Answer[]) {
  const scripted = scriptedApi((_request, index) => answers[index] ?? { open: true });
  const changes: string[] = [];
  const cache = startCache(scripted.api, pods, { clock: scripted.clock, random: seededRandom('c'), log: silentLog });
  cache.onChange(({ type, object }: CacheChange) => changes.push(`${type} ${object.metadata.name}`));
  await pass(scripted.clock, 5_000);
  return { cache, changes, paths: scripted.requests.map(({ path }) => path), ...scripted };
}

/** Moves the clock in small steps, so that chains of promises settle in between. */
async function pass(clock: VirtualClock, durationMs: number): Promise<void> {
  for (let step = 0; step < 50; step++) await clock.advance(durationMs / 50);
}

const names = (cache: Cache) => cache.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);

describe('Cache', () => {
  it('lists, then watches from the resourceVersion of the list', async () => {
    const { cache, changes, paths } = await play(
      list(5, pod('a', 3)),
      events(['ADDED', pod('b', 6)], ['MODIFIED', pod('a', 7)], ['DELETED', pod('b', 8)]),
    );
    expect(names(cache)).toEqual(['a@7']);
    expect(changes).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
    expect(paths[1]).toMatch(/watch=1&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=(5\d|60)$/);
  });

  it('A10 A14 continues from the last resourceVersion, also that of a bookmark', async () => {
    const { changes, paths } = await play(
      list(5),
      events(
        ['ADDED', pod('a', 6)],
        ['BOOKMARK', { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '40' } }],
      ),
    );
    expect(paths[2]).toContain('resourceVersion=40&');
    expect(changes).toEqual(['ADDED a']);
  });

  it.each([
    ['an answer', { status: 410, body: statusBody(410, 'Expired') } as Answer],
    ['an event', events(['ERROR', statusBody(410, 'Expired')])],
    ['A16 a line that is not JSON', { body: 'nonsense\n' } as Answer],
  ])('A09 lists again after 410 in %s, and emits the deletions', async (_where, gone) => {
    const { cache, changes } = await play(list(5, pod('a', 3), pod('b', 4)), gone, list(9, pod('b', 4), pod('c', 8)));
    expect(names(cache)).toEqual(['b@4', 'c@8']);
    expect(changes).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'DELETED a']);
  });

  it('A13 never returns to an older state, and ignores an event that it already has', async () => {
    const { cache, changes } = await play(
      list(5, pod('a', 10)),
      events(['MODIFIED', pod('a', 9)], ['MODIFIED', pod('a', 10)]),
    );
    expect([names(cache), changes]).toEqual([['a@10'], ['ADDED a']]);
  });

  it('treats an object of the same name with another uid as another object', async () => {
    const { changes } = await play(list(5, pod('a', 3)), events(['ADDED', pod('a', 7, 'other')]));
    expect(changes).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
  });

  it('A11 closes a silent watch after 70 s and reopens it', async () => {
    const { clock, requests, cache } = await play(list(5));
    expect(requests).toHaveLength(2);
    await pass(clock, 66_000);
    expect(requests).toHaveLength(3);
    expect(cache.staleSinceMs).toBeUndefined();
  });

  it('A04 backs off while the server is unreachable, reports the problem, and recovers', async () => {
    const away = new Error('away');
    const { api, clock, requests } = scriptedApi(({ path }, index) => {
      if (index >= 1 && index <= 3) return away;
      return path.includes('watch=1') ? { open: true } : list(5, pod('a', 3));
    });
    const cache = startCache(api, pods, { clock, random: seededRandom('c'), log: silentLog });
    await pass(clock, 1);
    expect([cache.isSynced, cache.problem === undefined, cache.staleSinceMs === undefined]).toEqual([
      true,
      false,
      false,
    ]);
    await pass(clock, 20_000);
    expect([cache.problem, cache.staleSinceMs]).toEqual([undefined, undefined]);
    // After a long outage only a new list shows what happened (docs/faults.md A18).
    expect(requests.map(({ path }) => path.includes('watch=1'))).toEqual([false, true, false, false, false, true]);
    await cache.stop();
  });

  it('A18 lists again when an event or a bookmark is older than the copy', async () => {
    const old = { type: 'BOOKMARK', object: { ...pod('', 4), metadata: { resourceVersion: '4' } } };
    const { api, clock, requests } = scriptedApi(({ path }, index) => {
      if (!path.includes('watch=1')) return index === 0 ? list(5, pod('a', 3)) : list(4, pod('b', 2));
      return index === 1 ? { body: `${JSON.stringify(old)}\n` } : { open: true };
    });
    const cache = startCache(api, pods, { clock, random: seededRandom('c'), log: silentLog });
    await pass(clock, 5_000);
    expect(names(cache)).toEqual(['b@2']);
    expect(requests.length).toBe(4);
    await cache.stop();
  });

  it('C17 notices within 4 s that a kind is served that was missing before', async () => {
    let isServed = false;
    const missing = { status: 404, body: statusBody(404, 'NotFound') };
    const { api, clock, requests } = scriptedApi(() => (isServed ? list(5, pod('a', 3)) : missing));
    const cache = startCache(api, pods, { clock, random: seededRandom('c'), log: silentLog });
    for (let minute = 0; minute < 3; minute++) await pass(clock, 60_000);
    expect(requests.length).toBeLessThan(120);
    isServed = true;
    await pass(clock, 4_500);
    expect(names(cache)).toEqual(['a@3']);
    await cache.stop();
  });

  it('a kind that can be listed and not watched is listed again and again, and is not behind meanwhile', async () => {
    const metrics = (cpu: string) => ({
      body: {
        kind: 'PodMetricsList',
        apiVersion: 'metrics.k8s.io/v1beta1',
        metadata: {},
        items: [{ metadata: { name: 'a', namespace: 'n' }, cpu }],
      },
    });
    const refused = { status: 405, body: statusBody(405, 'MethodNotAllowed') };
    const { cache, changes, clock } = await play(
      metrics('1m'),
      refused,
      metrics('2m'),
      refused,
      metrics('3m'),
      refused,
    );
    expect(cache.list()).toMatchObject([{ cpu: '1m' }]);
    expect([cache.problem, cache.staleSinceMs]).toEqual([undefined, undefined]);
    await pass(clock, 15_000);
    expect(cache.list()).toMatchObject([{ cpu: '2m' }]);
    await pass(clock, 15_000);
    expect(cache.list()).toMatchObject([{ cpu: '3m' }]);
    expect(changes).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED a']);
    await cache.stop();
  });

  it('A17 a listener that throws does not affect the others', async () => {
    const scripted = scriptedApi((_request, index) => [list(5, pod('a', 3))][index] ?? { open: true });
    const cache = startCache(scripted.api, pods, { clock: scripted.clock, random: seededRandom('c'), log: silentLog });
    const seen: string[] = [];
    cache.onChange(() => {
      throw new Error('bug');
    });
    cache.onChange(({ object }) => seen.push(object.metadata.name ?? ''));
    await pass(scripted.clock, 100);
    expect(seen).toEqual(['a']);
  });
});
