import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { Api } from '@/server/kube/api';
import { readReadiness } from './readiness';

const answering = (status: number): Api =>
  ({ raw: () => Promise.resolve({ status, headers: {}, body: nothing() }) }) as unknown as Api;
async function* nothing(): AsyncGenerator<Uint8Array> {}

const NO_PROBLEM = { webhook: undefined, leaseProblem: undefined, isStopping: false };

describe('readiness', () => {
  it('is missing, with the reason, when the controller may not use its lease', async () => {
    const leaseProblem = 'the controller may not update Lease bravo-controller in namespace default: no';
    const parts = { ...NO_PROBLEM, controller: 'forbidden', leaseProblem } as const;
    const { ready, checks } = await readReadiness(answering(200), parts, new VirtualClock());
    expect(ready).toBe(false);
    expect(checks[1]).toEqual({ name: 'controller', ok: false, message: leaseProblem });
  });

  it('names each part, and what the webhook of this process says of itself', async () => {
    const parts = {
      ...NO_PROBLEM,
      controller: 'running',
      webhook: 'is not registered: the API server cannot call it',
    } as const;
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
    const parts = { ...NO_PROBLEM, controller: 'failed' } as const;
    const { ready, checks } = await readReadiness(answering(503), parts, new VirtualClock());
    expect(ready).toBe(false);
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['kubernetes', false],
      ['controller', false],
    ]);
  });

  it('is missing while the console is being stopped', async () => {
    const parts = { ...NO_PROBLEM, controller: 'off', isStopping: true } as const;
    const { ready, checks } = await readReadiness(answering(200), parts, new VirtualClock());
    expect(ready).toBe(false);
    expect(checks).toContainEqual({ name: 'console', ok: false, message: 'is being stopped' });
  });

  it('says that the credentials are what the API refuses', async () => {
    const parts = { ...NO_PROBLEM, controller: 'off' } as const;
    const { checks } = await readReadiness(answering(401), parts, new VirtualClock());
    expect(checks[0]).toMatchObject({ ok: false, message: expect.stringContaining('credentials') });
  });
});
