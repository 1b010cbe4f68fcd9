import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { Transport } from '@/server/kube/transport';
import { clientTransport } from './client-transport';
import { homeFolder, repositoriesFile } from './home';

describe('the settings of the client', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('CLI-002 CLI-004 CLI-005 the home is the flag, else KUDO_HOME, else ~/.kudo', () => {
    vi.stubEnv('KUDO_HOME', '');
    expect(homeFolder({})).toBe(join(homedir(), '.kudo'));
    vi.stubEnv('KUDO_HOME', '/bar');
    expect(homeFolder({})).toBe('/bar');
    expect(homeFolder({ home: '/foo' })).toBe('/foo');
  });

  it('CLI-007 variables in the home are expanded, and the list of repositories is below it', () => {
    vi.stubEnv('PLACE', 'there');
    expect(homeFolder({ home: '/a/$PLACE/${PLACE}x' })).toBe('/a/there/therex');
    expect(repositoriesFile('/a')).toBe('/a/repository/repositories.yaml');
  });

  it('CLI-006 a request ends after the given timeout', async () => {
    const clock = new VirtualClock();
    const silent: Transport = {
      request: ({ signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
      openSocket: () => Promise.reject(new Error('none')),
      close: () => Promise.resolve(),
    };
    const transport = clientTransport(silent, { requestTimeout: '5' }, { clock, log: () => undefined });
    const answer = transport.request({ method: 'GET', path: '/version' });
    const outcome = expect(answer).rejects.toThrow(
      'The Kubernetes API did not answer GET /version within 5 s (--request-timeout).',
    );
    await clock.advance(5_000);
    await outcome;
  });

  it('-v logs requests, and bodies except those of Secrets', async () => {
    const lines: string[] = [];
    const inner: Transport = {
      request: () => Promise.resolve({ status: 201, headers: {}, body: (async function* () {})() }),
      openSocket: () => Promise.reject(new Error('none')),
      close: () => Promise.resolve(),
    };
    const clock = new VirtualClock();
    const at = (v: string) => clientTransport(inner, { v }, { clock, log: (line) => lines.push(line) });
    await at('3').request({ method: 'GET', path: '/a' });
    await at('4').request({ method: 'POST', path: '/b', body: '{}' });
    await at('8').request({ method: 'POST', path: '/api/v1/namespaces/x/secrets', body: '{"data":{}}' });
    await at('8').request({ method: 'POST', path: '/c', body: '{"c":1}' });
    expect(lines).toEqual([
      'POST /b 201 in 0 ms',
      'POST /api/v1/namespaces/x/secrets 201 in 0 ms',
      'POST /c 201 in 0 ms',
      '{"c":1}',
    ]);
    expect(() => at('loud')).toThrow('invalid argument "loud" for "-v" flag');
  });
});
