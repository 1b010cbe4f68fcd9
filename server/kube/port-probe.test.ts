import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { settleTurns } from '@/test/engine/virtual-time';
import { plainCluster } from './credentials';
import { createApi } from './http-api';
import { HandshakeError, type Transport } from './transport';

const PORT: [number, string] = [0, '\u0090\u001f'];
const ERRORS: [number, string] = [1, '\u0090\u001f'];

/** Checks a port at a server that sends these messages (a channel and its text each) and then stays silent, or closes. */
async function check(messages: [number, string][], end: 'silent' | 'closes' | HandshakeError = 'silent') {
  const clock = new VirtualClock();
  const paths: string[] = [];
  const transport: Transport = {
    request: () => Promise.reject(new Error('not scripted')),
    openSocket: async ({ path, signal }) => {
      paths.push(path);
      if (end instanceof HandshakeError) throw end;
      return {
        protocol: 'v4.channel.k8s.io',
        messages: (async function* () {
          for (const [channel, text] of messages) yield Buffer.from([channel, ...Buffer.from(text, 'latin1')]);
          if (end === 'silent') await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        })(),
        send: () => undefined,
        close: () => undefined,
      };
    },
    close: async () => undefined,
  };
  const cluster = plainCluster({ server: 'https://test' });
  const api = createApi(cluster, { clock, random: seededRandom('port'), transport });
  const pod = { group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' };
  let result = 'waits';
  api.probePort(pod, { port: 8080 }).then(
    () => {
      result = 'accepts';
    },
    (error: unknown) => {
      result = String(error);
    },
  );
  await settleTurns();
  const early = result;
  const startMs = clock.now();
  while (result === 'waits' && clock.nextDueMs() !== undefined) {
    clock.runNext();
    await settleTurns();
  }
  return { early, result, afterMs: clock.now() - startMs, paths };
}

describe('a port of a pod', () => {
  it('accepts connections when the kubelet reports no error within a second', async () => {
    const { early, result, afterMs, paths } = await check([PORT, ERRORS]);
    expect(early).toBe('waits');
    expect({ result, afterMs }).toEqual({ result: 'accepts', afterMs: 1_000 });
    expect(paths).toEqual(['/api/v1/namespaces/shop/pods/web/portforward?ports=8080']);
  });

  it('accepts connections when it answers, or closes the connection by itself', async () => {
    expect((await check([PORT, ERRORS, [0, 'hello']])).early).toBe('accepts');
    expect((await check([PORT, ERRORS], 'closes')).early).toBe('accepts');
  });

  it('refuses connections when the kubelet says so', async () => {
    const text = 'error forwarding port 8080 to pod web: dial tcp4 127.0.0.1:8080: connect: connection refused';
    const { early } = await check([PORT, ERRORS, [1, text]]);
    expect(early).toBe('TerminalError: Port 8080 refuses connections.');
  });

  it('is not known when the kubelet has another problem, or closes early', async () => {
    expect((await check([PORT, ERRORS, [1, 'no route to host']])).early).toContain('TransientError: no route to host');
    expect((await check([PORT], 'closes')).early).toContain('closed early');
  });

  it('is not known when the API server refuses the upgrade, and after the deadline', async () => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message: 'pods "web" not found', code: 404 });
    expect((await check([], new HandshakeError(404, body))).early).toContain('pods "web" not found');
    expect((await check([PORT])).result).toContain('did not answer within 15 s');
  });
});
