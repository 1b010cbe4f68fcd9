import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { TopicProblem } from '@/lib/live/frames';
import { formatTopic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { createLog } from '@/server/log/log';
import { Feed } from './feed';
import { openTopic } from './open-topic';

async function problemAfter(status: number, reason: string): Promise<TopicProblem | undefined> {
  const { api } = scriptedApi(() => ({ status, body: statusBody(status, reason, reason) }));
  const topic = { group: '', version: 'v1', resource: 'pods' };
  const options = { api, clock: new VirtualClock(), random: seededRandom('1'), log: createLog('test') };
  return new Promise((resolve) => {
    const close = openTopic(
      topic,
      options,
    )({
      part: () => undefined,
      ready: () => undefined,
      changed: () => undefined,
      deleted: () => undefined,
      stale: () => undefined,
      problem: (problem) => {
        resolve(problem);
        queueMicrotask(() => close());
      },
    });
  });
}

describe('a topic that the API refuses', () => {
  it('is forbidden when a right is missing', async () => {
    expect(await problemAfter(403, 'Forbidden')).toMatchObject({ status: 'forbidden' });
  });

  it('cannot be read now when the credentials have expired: no right is missing, and new credentials fix it', async () => {
    expect(await problemAfter(401, 'Unauthorized')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('does not accept these credentials'),
    });
  });
});

describe('what a topic asks for', () => {
  it('is one object by its name', async () => {
    const { api, clock, requests } = scriptedApi(({ path }) =>
      path.includes('watch=1') ? { open: true } : { body: { items: [], metadata: { resourceVersion: '1' } } },
    );
    const topic = { ...topics.planRuns, namespace: 'demo', name: 'pg-deploy-1' };
    const feed = new Feed(formatTopic(topic), 'epoch', (object) => object);
    const close = openTopic(topic, { api, clock, random: seededRandom('1'), log: createLog('test') })(feed);
    await clock.advance(100);
    expect(feed.isReady).toBe(true);
    const path = '/apis/bravo.kudo.dev/v1alpha1/namespaces/demo/planruns?fieldSelector=metadata.name%3Dpg-deploy-1&';
    expect(requests.filter((request) => request.path.startsWith(path)).length).toBe(2);
    close();
  });

  it('is shown in part while its pages are read', async () => {
    const page = (from: number, rest: object) => ({
      body: {
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '9', ...rest },
        items: Array.from({ length: 2 }, (_, at) => ({
          metadata: { name: `m-${from + at}`, namespace: 'demo', uid: `${from + at}`, resourceVersion: '1' },
          data: { a: 'b' },
        })),
      },
    });
    const { api, clock } = scriptedApi(({ path }) => {
      if (path.includes('continue=')) return { hang: true };
      return page(0, { continue: 'more', remainingItemCount: 3 });
    });
    const topic = { group: '', version: 'v1', resource: 'configmaps', view: 'rows' } as const;
    const feed = new Feed(formatTopic(topic), 'epoch', (object) => object);
    const close = openTopic(topic, { api, clock, random: seededRandom('1'), log: createLog('test') })(feed);
    await clock.advance(100);
    expect(feed.isLoading).toBe(true);
    expect(feed.since(undefined, 0)).toMatchObject({ total: 5, read: 2, objects: [{ metadata: { name: 'm-0' } }, {}] });
    close();
  });
});

describe('a topic whose first list does not come', () => {
  it('is not live five seconds after it was opened, and is again with the first list', async () => {
    let isHanging = true;
    const { api, clock } = scriptedApi(({ path }) => {
      if (isHanging) return { hang: true };
      return path.includes('watch=1') ? { open: true } : { body: { items: [], metadata: { resourceVersion: '1' } } };
    });
    const feed = new Feed('core/v1/pods', 'epoch', (object) => object);
    const topic = { group: '', version: 'v1', resource: 'pods' };
    const openedAtMs = clock.now();
    const close = openTopic(topic, { api, clock, random: seededRandom('1'), log: createLog('test') })(feed);
    await clock.advance(4_900);
    expect(feed.staleSinceMs).toBeUndefined();
    await clock.advance(200);
    expect(feed.staleSinceMs).toBe(openedAtMs);
    isHanging = false;
    for (let seconds = 0; seconds < 120 && !feed.isReady; seconds++) await clock.advance(1_000);
    await clock.advance(1_000);
    expect(feed.isReady).toBe(true);
    expect(feed.staleSinceMs).toBeUndefined();
    close();
  });
});
