import { describe, expect, it } from 'vitest';
import { scriptedApi } from '@/server/kube/test-api';
import { LastProbes } from './last-probes';

/** A server that answers until it is told to hang. */
function server() {
  let hangs = false;
  const scripted = scriptedApi(({ path }) => {
    if (hangs) return { hang: true };
    return {
      body: path === '/version' ? { gitVersion: 'v1.36.2' } : { items: [{}], metadata: { remainingItemCount: 4 } },
    };
  });
  const probes = new LastProbes(scripted.clock);
  const hang = () => {
    hangs = true;
  };
  return { ...scripted, probes, hang };
}

describe('how a cluster answered a person last', () => {
  it('is asked again each time while it answers', async () => {
    const { api, probes, requests } = server();
    expect(await probes.ask('ann', api)).toMatchObject({ state: 'ready', version: 'v1.36.2', instances: 5 });
    await probes.ask('ann', api);
    expect(requests.filter(({ path }) => path === '/version')).toHaveLength(2);
  });

  it('is given after a second when the cluster hangs, and the truth when it is known', async () => {
    const { api, clock, probes, hang } = server();
    await probes.ask('ann', api);
    hang();
    const asked = probes.ask('ann', api);
    await clock.advance(1_000);
    expect(await asked).toMatchObject({ state: 'ready' });
    await clock.advance(2_000);
    const next = probes.ask('ann', api);
    await clock.advance(1_000);
    expect(await next).toMatchObject({ state: 'unreachable' });
  });

  it('is of one person: who has not asked before waits for the answer', async () => {
    const { api, clock, probes, hang } = server();
    await probes.ask('ann', api);
    hang();
    const asked = probes.ask('bob', api);
    await clock.advance(3_000);
    expect(await asked).toMatchObject({ state: 'unreachable' });
  });

  it('is asked for once by many at the same time', async () => {
    const { api, probes, requests } = server();
    await Promise.all([1, 2, 3].map(() => probes.ask('ann', api)));
    expect(requests.filter(({ path }) => path === '/version')).toHaveLength(1);
  });
});
