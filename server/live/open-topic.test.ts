import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { TopicProblem } from '@/lib/live/frames';
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
