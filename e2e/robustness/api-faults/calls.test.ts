import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { loadCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { temporaryFolder } from '@/test/programs/process';
import { PASS, type ProxyFault, proxyStatus } from '../proxy/fault';
import { startFaultProxy } from '../proxy/fault-proxy';
import { type FaultyClient, startFaultyClient } from './faulty-client';
import { watchedConfigMap } from './watched';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const THROTTLED = proxyStatus(429, 'TooManyRequests', 'slow down', { 'retry-after': '7' });

describe('single requests while the API fails', () => {
  let client: FaultyClient;
  let namespace: string;
  beforeAll(async () => {
    client = await startFaultyClient();
  });
  afterAll(() => client?.stop());

  const begin = async () => {
    namespace = await client.namespace();
    await client.people.create({ ...CONFIG_MAPS, namespace }, watchedConfigMap('there', 'v'.repeat(40)));
  };
  const target = (name: string) => ({ ...CONFIG_MAPS, namespace, name });
  const isOurs = (path: string) => path.includes(`/namespaces/${namespace}/`);
  /** The outcome of a request, as a value. */
  const settled = <T>(promise: Promise<T>): { error?: unknown; value?: T; done: boolean } => {
    const result: { error?: unknown; value?: T; done: boolean } = { done: false };
    promise.then(
      (value) => Object.assign(result, { value, done: true }),
      (error: unknown) => Object.assign(result, { error, done: true }),
    );
    return result;
  };

  it('A03: after a 429 with Retry-After only requests for the lease are sent to that server before the time is over', async () => {
    await begin();
    let left = 1;
    const seen: string[] = [];
    client.proxy.decide = ({ path }) => {
      seen.push(path);
      return left-- > 0 ? THROTTLED : PASS;
    };
    await expect(client.api.get(target('there'))).rejects.toMatchObject({ retryAfterMs: 7_000 });
    seen.length = 0;
    const other = settled(client.api.list({ group: '', version: 'v1', resource: 'secrets', namespace }));
    const lease = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace, name: 'none' };
    await client.api.get(lease);
    await client.clock.advance(6_999);
    expect(seen.map((path) => path.split('/').at(-2))).toEqual(['leases']);
    await client.clock.advance(1);
    await client.until('the list is answered', () => other.done, 0);
    expect(other.error).toBeUndefined();
  });

  it('A05: an answer that breaks off after any number of bytes is an unknown outcome, and the next read is complete', async () => {
    await begin();
    for (let bytes = 0; bytes < 260; bytes++) {
      client.proxy.decide = () => ({ do: 'limit', bytes, how: 'break' });
      await expect(client.api.get(target('there')), `${bytes} bytes`).rejects.toBeInstanceOf(TransientError);
    }
    client.proxy.decide = () => PASS;
    expect((await client.api.get(target('there')))?.metadata.name).toBe('there');
  });

  it('A05: a write whose answer is lost is an unknown outcome, and a read shows what happened', async () => {
    await begin();
    client.proxy.decide = () => ({ do: 'lose' });
    const sent = client.api.create({ ...CONFIG_MAPS, namespace }, watchedConfigMap('made', 'once'));
    await expect(sent).rejects.toBeInstanceOf(TransientError);
    client.proxy.decide = () => PASS;
    expect((await client.api.get(target('made')))?.data).toEqual({ value: 'once' });
  });

  for (const [what, deadlineMs, call] of [
    ['read', 15_000, () => client.api.get(target('there'))],
    ['write', 30_000, () => client.api.patch(target('there'), 'merge', { data: { value: 'x' } })],
    ['list', 60_000, () => client.api.list({ ...CONFIG_MAPS, namespace })],
  ] as const) {
    for (const [how, fault] of [
      ['without an answer', { do: 'hold' }],
      ['in the middle of the answer', { do: 'limit', bytes: 20, how: 'silence' }],
    ] as const satisfies readonly (readonly [string, ProxyFault])[]) {
      it(`A06: a ${what} that hangs ${how} ends after ${deadlineMs / 1000} s`, async () => {
        await begin();
        let came = 0;
        client.proxy.decide = ({ path }) => {
          came += isOurs(path) ? 1 : 0;
          return fault;
        };
        const result = settled<unknown>(call());
        await client.until('the request is on its way', () => came > 0, 0);
        await client.clock.advance(deadlineMs - 1);
        expect(result.done).toBe(false);
        await client.clock.advance(1);
        await client.until('the request has ended', () => result.done, 0);
        expect(result.error).toMatchObject({ reason: 'Timeout' });
        expect(result.error).toBeInstanceOf(TransientError);
      });
    }
  }

  it('A07: after a 401 the token file is read again', async () => {
    await begin();
    const folder = temporaryFolder('token');
    writeFileSync(join(folder, 'token'), 'expired');
    const text = client.proxy.kubeconfig(client.sandbox.kubeconfig).replace(/token: \S+/, 'tokenFile: token');
    writeFileSync(join(folder, 'kubeconfig'), text);
    const api = createApi(loadCluster({ kubeconfigPath: join(folder, 'kubeconfig') }), { clock: systemClock });
    await expect(api.get(target('there'))).rejects.toMatchObject({ reason: 'Unauthorized' });
    writeFileSync(join(folder, 'token'), client.sandbox.adminToken);
    expect((await api.get(target('there')))?.metadata.name).toBe('there');
    await api.close();
  });

  it('A19: an aggregated API that is down is left out of discovery and reported; the rest is served', async () => {
    client.proxy.decide = ({ path }) =>
      path === '/apis'
        ? {
            do: 'rewrite',
            body: (text) => {
              const groups = JSON.parse(text);
              const stale = { version: 'v1', resources: [], freshness: 'Stale' };
              groups.items?.push({ metadata: { name: 'metrics.example' }, versions: [stale] });
              return JSON.stringify(groups);
            },
          }
        : PASS;
    const { resources, failed } = await client.api.discover({ refresh: true });
    expect(failed).toEqual(['metrics.example/v1: stale']);
    expect(resources.some(({ resource }) => resource === 'deployments')).toBe(true);
  });

  it('A19: a server without aggregated discovery, one of whose groups fails, is used without that group', async () => {
    const old = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': {
        kind: 'APIGroupList',
        groups: ['apps', 'gone.example'].map((name) => ({ name, versions: [{ version: 'v1' }] })),
      },
    } as const;
    client.proxy.decide = ({ path }) => {
      if (path === '/api' || path === '/apis') return { do: 'answer', status: 200, body: JSON.stringify(old[path]) };
      return path.includes('gone.example') ? proxyStatus(503, 'ServiceUnavailable', 'not now') : PASS;
    };
    const { resources, failed } = await client.api.discover({ refresh: true });
    expect(failed.map((text) => text.split(':')[0])).toEqual(['gone.example/v1']);
    expect(resources.some(({ resource }) => resource === 'pods')).toBe(true);
    expect(resources.some(({ resource }) => resource === 'deployments')).toBe(true);
  });

  for (const status of [301, 302, 307, 308]) {
    it(`A22: a redirect (${status}) is not followed, so that no credentials reach another server`, async () => {
      await begin();
      const elsewhere = await startFaultProxy({ url: client.sandbox.url, caPem: client.sandbox.caPem });
      client.proxy.decide = ({ path }) => ({
        do: 'answer',
        status,
        headers: { location: `${elsewhere.url}${path}` },
        body: '',
      });
      await expect(client.api.get(target('there'))).rejects.toBeInstanceOf(TerminalError);
      expect(elsewhere.count).toBe(0);
      await elsewhere.stop();
    });
  }
});
