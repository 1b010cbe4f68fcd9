import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import type { RawRequest } from '@/server/kube/api';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { EventRecorder } from './events';

const INSTANCE = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'orders', namespace: 'shop', uid: 'u-1' },
};

function recorder() {
  const { api, clock, requests } = scriptedApi(() => ({ body: INSTANCE }));
  const events = new EventRecorder({ api, clock, random: seededRandom('events'), log: silentLog });
  return { clock, requests, events };
}

function bodyOf(request: RawRequest | undefined): { [field: string]: unknown } {
  const { body } = request ?? {};
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('utf8');
  return JSON.parse(text) as { [field: string]: unknown };
}

describe('events of a controller', () => {
  it('give way to the writes that they tell of, and carry the time at which it happened', async () => {
    const { clock, requests, events } = recorder();
    const then = new Date(clock.now()).toISOString().slice(0, 19);
    events.record(INSTANCE, 'Normal', 'PlanStarted', 'Execution of plan deploy started');
    await clock.advance(19);
    expect(requests).toHaveLength(0);
    await clock.advance(1);
    expect(requests.map(({ method, path }) => [method, path])).toEqual([['POST', '/api/v1/namespaces/shop/events']]);
    expect(bodyOf(requests[0])).toMatchObject({
      reason: 'PlanStarted',
      message: 'Execution of plan deploy started',
      firstTimestamp: `${then}Z`,
      count: 1,
    });
  });

  it('are counted up when the same is told again', async () => {
    const { requests, events } = recorder();
    for (let time = 0; time < 3; time++) events.record(INSTANCE, 'Warning', 'Refused', 'no such plan');
    await events.settle();
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);
    expect(bodyOf(requests[2])).toMatchObject({ count: 3 });
  });

  it('are sent at once when the controller stops', async () => {
    const { requests, events } = recorder();
    events.record(INSTANCE, 'Normal', 'PlanFinished', 'Execution of plan deploy finished with status COMPLETE');
    await events.settle();
    expect(requests).toHaveLength(1);
  });

  it('are there once, whoever tells them and however often, when they have an identity', async () => {
    const event = { type: 'Normal', reason: 'PlanFinished', message: 'Execution of plan deploy finished' } as const;
    const names: unknown[] = [];
    const warnings: string[] = [];
    for (const process of ['first', 'second']) {
      const { api, clock } = scriptedApi((request) => {
        names.push((bodyOf(request).metadata as { name?: string }).name);
        return process === 'first' ? { body: INSTANCE } : { status: 409, body: { code: 409, reason: 'AlreadyExists' } };
      });
      const log = { ...silentLog, warn: (problem: string) => void warnings.push(problem) };
      const events = new EventRecorder({ api, clock, random: seededRandom(process), log });
      events.recordOnce(INSTANCE, 'run 1', event);
      await events.settle();
    }
    expect(names).toHaveLength(2);
    expect(names[0]).toBe(names[1]);
    expect(warnings).toEqual([]);
  });

  it('that the namespace refuses because it is being deleted, or was deleted, are no reason for a warning', async () => {
    const causes = [{ reason: 'NamespaceTerminating', message: 'namespace shop is being terminated', field: '' }];
    const terminating = statusBody(403, 'Forbidden', 'is forbidden: namespace shop is being terminated', { causes });
    for (const [status, body] of [
      [403, terminating],
      [404, statusBody(404, 'NotFound', 'namespaces "shop" not found')],
    ] as const) {
      expect(await warningsWhen(() => ({ status, body }))).toEqual([]);
    }
  });

  it('that the controller may not write are', async () => {
    const forbidden = () => ({ status: 403, body: statusBody(403, 'Forbidden', 'cannot create events') });
    expect(await warningsWhen(forbidden)).toEqual(['event.not-sent']);
  });

  it('are written anew when the one that is counted up was deleted', async () => {
    const methods: string[] = [];
    const warnings = await warningsWhen(({ method }) => {
      methods.push(method);
      return method === 'PATCH' ? { status: 404, body: statusBody(404, 'NotFound') } : { body: INSTANCE };
    });
    expect([methods, warnings]).toEqual([['POST', 'PATCH', 'POST'], []]);
  });
});

/** What is logged when the same event is sent twice to a server that answers so. */
async function warningsWhen(answer: Parameters<typeof scriptedApi>[0]): Promise<string[]> {
  const warnings: string[] = [];
  const { api, clock } = scriptedApi(answer);
  const log = { ...silentLog, warn: (problem: string) => void warnings.push(problem) };
  const events = new EventRecorder({ api, clock, random: seededRandom('warnings'), log });
  for (let time = 0; time < 2; time++) events.record(INSTANCE, 'Warning', 'RepairFailed', 'again');
  await events.settle();
  return [...new Set(warnings)];
}
