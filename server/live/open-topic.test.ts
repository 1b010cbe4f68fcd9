import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { TopicProblem } from '@/lib/live/frames';
import { seededRandom } from '@/lib/random/random';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { createLog } from '@/server/log/log';
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

  it('cannot be read now when the credentials have ended: no right is missing, and new ones mend it', async () => {
    expect(await problemAfter(401, 'Unauthorized')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('does not accept these credentials'),
    });
  });
});
