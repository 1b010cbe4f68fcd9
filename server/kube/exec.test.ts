import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { plainCluster } from './credentials';
import { createApi } from './http-api';
import type { Transport } from './transport';

/** Runs `true` in a container whose server sends these messages: a channel each, and its text. */
function exec(...messages: [channel: number, text: string][]): Promise<Uint8Array> {
  const transport: Transport = {
    request: () => Promise.reject(new Error('not scripted')),
    openSocket: async () => ({
      protocol: 'v5.channel.k8s.io',
      messages: (async function* () {
        for (const [channel, text] of messages) yield Buffer.from([channel, ...Buffer.from(text)]);
      })(),
      send: () => undefined,
      close: () => undefined,
    }),
    close: async () => undefined,
  };
  const api = createApi(plainCluster({ server: 'https://test' }), {
    clock: new VirtualClock(),
    random: seededRandom('exec'),
    transport,
  });
  const pod = { group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' };
  return api.exec(pod, { command: ['true'], maxBytes: 1_000 });
}

describe('a command in a container', () => {
  it('gives its output', async () => {
    const output = await exec([1, 'two '], [1, 'parts'], [3, '{"metadata":{},"status":"Success"}']);
    expect(Buffer.from(output).toString()).toBe('two parts');
  });

  it('that cannot be started fails with what the API server says, whose Status has no kind', async () => {
    const message = 'Internal error occurred: exec: "tar": executable file not found in $PATH';
    const status = { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
    await expect(exec([3, JSON.stringify(status)])).rejects.toThrow(message);
  });

  it('that fails says its exit code and what it wrote', async () => {
    const causes = [{ reason: 'ExitCode', message: '2' }];
    const status = { metadata: {}, status: 'Failure', reason: 'NonZeroExitCode', details: { causes } };
    await expect(exec([2, 'no such file'], [3, JSON.stringify(status)])).rejects.toThrow('Exit code 2: no such file');
  });
});
