import { describe, expect, it } from 'vitest';
import { type Topic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import { type Answer, scriptedApi, statusBody } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { openHub } from './open-hub';

/** What a page of the console reads: the frame of every page, and a list. */
const PAGE: readonly Topic[] = [
  topics.namespaces,
  topics.instanceRows,
  topics.versionRows,
  { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default', name: 'bravo-controller' },
];
const MINUTE_MS = 60_000;

const REFUSED: Answer = { status: 403, body: statusBody(403, 'Forbidden') };
const MISSING: Answer = { status: 404, body: statusBody(404, 'NotFound') };
const EMPTY: Answer = { body: { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '1' }, items: [] } };

/** A console over an API that answers every list the same way; its requests are counted, those for `/version` apart. */
function consoleOn(answerLists: () => Answer) {
  const { api, clock, requests } = scriptedApi(({ path }) => {
    if (path === '/version') return { body: {} };
    return path.includes('watch=1') ? { open: true } : answerLists();
  });
  const hub = openHub({ api, clock, random: seededRandom('hub'), log: silentLog });
  const readers: { release: () => void }[] = [];
  return {
    hub,
    open: () => {
      readers.push(...PAGE.map((topic) => hub.acquire(topic)));
    },
    leave: () => {
      for (const { release } of readers.splice(0)) release();
    },
    /** How many requests are made while so much time passes. */
    async requestsWithin(durationMs: number): Promise<{ lists: number; all: number }> {
      const before = requests.length;
      for (let passedMs = 0; passedMs < durationMs; passedMs += 500) await clock.advance(500);
      const made = requests.slice(before);
      return { lists: made.filter(({ path }) => path !== '/version').length, all: made.length };
    },
  };
}

describe('the requests of a console', () => {
  it.each([
    ['that a person may not read', REFUSED],
    ['whose CRDs are missing', MISSING],
  ])('for lists %s become rare: two a minute and list at most', async (_, answer) => {
    const { open, requestsWithin } = consoleOn(() => answer);
    open();
    const first = await requestsWithin(MINUTE_MS);
    expect(first.lists).toBeLessThanOrEqual(8 * PAGE.length);
    await requestsWithin(MINUTE_MS);
    const later = await requestsWithin(10 * MINUTE_MS);
    expect(later.lists).toBeGreaterThan(0);
    expect(later.lists / (10 * 60)).toBeLessThanOrEqual(0.15);
  });

  it.each([
    ['refused', REFUSED],
    ['missing', MISSING],
  ])('for lists that are %s end with the last reader', async (_, answer) => {
    const { open, leave, requestsWithin } = consoleOn(() => answer);
    open();
    await requestsWithin(MINUTE_MS);
    leave();
    expect((await requestsWithin(10 * MINUTE_MS)).all).toBe(0);
  });

  it('end a quarter of a minute after the last reader of lists that were read', async () => {
    const { open, leave, requestsWithin } = consoleOn(() => EMPTY);
    open();
    await requestsWithin(MINUTE_MS);
    leave();
    await requestsWithin(MINUTE_MS / 4);
    expect((await requestsWithin(10 * MINUTE_MS)).all).toBe(0);
  });

  it('are none at all before somebody reads', async () => {
    expect((await consoleOn(() => EMPTY).requestsWithin(MINUTE_MS)).all).toBe(0);
  });

  it('ask at once for what was refused when a reader comes, and when a person has changed something', async () => {
    let answer = REFUSED;
    const { hub, open, requestsWithin } = consoleOn(() => answer);
    open();
    await requestsWithin(10 * MINUTE_MS);
    answer = EMPTY;
    const { feed } = hub.acquire(topics.instanceRows);
    await requestsWithin(1_000);
    expect(feed.isReady).toBe(true);
    const { feed: namespaces } = hub.acquire({ ...topics.namespaces, name: 'demo' });
    hub.askRefusedAgain();
    await requestsWithin(1_000);
    expect(namespaces.isReady).toBe(true);
  });
});
