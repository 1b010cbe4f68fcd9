import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { Api } from '@/server/kube/api';
import { readReadiness } from './readiness';

const answering = (status: number): Api =>
  ({ raw: () => Promise.resolve({ status, headers: {}, body: nothing() }) }) as unknown as Api;
async function* nothing(): AsyncGenerator<Uint8Array> {}

describe('readiness', () => {
  it('names each part, and what the webhook of this process says of itself', async () => {
    const parts = { controller: 'running', webhook: 'is not registered: the API server cannot call it' } as const;
    expect(await readReadiness(answering(200), parts, new VirtualClock())).toEqual({
      ready: true,
      checks: [
        { name: 'kubernetes', ok: true, message: 'answers' },
        { name: 'controller', ok: true, message: 'runs here' },
        { name: 'webhook', ok: true, message: 'is not registered: the API server cannot call it' },
      ],
    });
  });

  it('is missing when the API answers with an error or the controller has stopped', async () => {
    const parts = { controller: 'failed', webhook: undefined } as const;
    const { ready, checks } = await readReadiness(answering(503), parts, new VirtualClock());
    expect(ready).toBe(false);
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['kubernetes', false],
      ['controller', false],
    ]);
  });

  it('says that the credentials are what the API refuses', async () => {
    const parts = { controller: 'off', webhook: undefined } as const;
    const { checks } = await readReadiness(answering(401), parts, new VirtualClock());
    expect(checks[0]).toMatchObject({ ok: false, message: expect.stringContaining('credentials') });
  });
});
