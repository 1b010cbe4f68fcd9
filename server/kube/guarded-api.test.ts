import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import type { Api, RawRequest, RawResponse } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { guardedApi } from './guarded-api';

const TARGET = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' };
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

function answer(status: number, headers: { [name: string]: string } = {}): RawResponse {
  const body = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    code: status,
    reason: 'TooManyRequests',
  });
  return {
    status,
    headers,
    body: (async function* () {
      yield new TextEncoder().encode(body);
    })(),
  };
}

describe('the Api of a leader', () => {
  it.each([
    ['alone', (api: Api) => api],
    ['around another guard', (api: Api) => guardedApi(api, () => true)],
  ])('%s does not send a write that waited for a busy server until the lease was lost', async (_how, inner) => {
    const clock = new VirtualClock();
    const sent: RawRequest[] = [];
    const transport = {
      async request(request: RawRequest) {
        sent.push(request);
        return sent.length === 1 ? answer(429, { 'retry-after': '20' }) : answer(201);
      },
      openSocket: () => Promise.reject(new Error('no sockets')),
      close: () => Promise.resolve(),
    };
    const cluster = plainCluster({ server: 'https://sandbox.invalid', token: 'x' });
    let leads = true;
    const direct = createApi(cluster, { clock, random: seededRandom('guard'), transport });
    const api = guardedApi(inner(direct), () => leads);
    await expect(api.create(TARGET, OBJECT)).rejects.toThrow();
    const second = api.create(TARGET, OBJECT);
    second.catch(() => {});
    await clock.advance(15_000);
    leads = false;
    await clock.advance(15_000);
    await expect(second).rejects.toThrow('no longer holds the lease');
    expect(sent).toHaveLength(1);
  });
});
