import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import type { WebhookServer } from '@/server/webhook/server';
import { ProcessClock } from './process-clock';
import { Scheduler } from './scheduler';
import { type WebhookNetwork, webhookNetwork } from './webhook-network';

const authority = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
const served = (...names: string[]) => {
  return { caBundlePem: names.map(authority).join(''), caKeyPem: '', certificatePem: '', keyPem: '' };
};
const QUESTION = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', operation: 'DELETE', kind: { group: 'kudo.dev', version: 'v1beta1', kind: 'Instance' } },
});

let clock: VirtualClock;
let scheduler: Scheduler;
let process: ProcessClock;
let network: WebhookNetwork;
let server: WebhookServer;

async function make(faultPercent: number): Promise<void> {
  clock = new VirtualClock();
  scheduler = new Scheduler(clock);
  process = new ProcessClock(clock, 0);
  network = webhookNetwork({ clock, random: seededRandom('network'), faultRate: { percent: faultPercent } });
  const answers = {
    ...{ listen: { host: undefined, port: 0 }, clock: process, log: silentLog, isReady: () => true, words: () => '' },
    judge: () => Promise.resolve({ decided: true }),
  };
  server = await network.serveOf(process)(answers, served('first'));
}

function ask(caBundle = authority('first'), port = server.port): Promise<string> {
  const url = new URL(`https://127.0.0.1:${port}/admit-kudo-dev-v1beta1-instance?timeout=3s`);
  return scheduler.drive(network.post({ url, caBundle, timeoutMs: 3_000, body: QUESTION }));
}

beforeEach(() => make(0));

describe('a call of the webhook of a simulated process', () => {
  it('reaches the webhook that listens on the port', async () => {
    expect(await ask()).toBe('{"decided":true}');
  });

  it('is refused on another port, on a closed port, and by a dead process', async () => {
    await expect(ask(authority('first'), server.port + 1)).rejects.toThrow('ECONNREFUSED');
    process.die();
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
    await make(0);
    await server.stop();
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });

  it('waits for a suspended process until its timeout', async () => {
    process.freeze();
    clock.after(2_000, () => process.thaw());
    expect(await ask()).toBe('{"decided":true}');
    process.freeze();
    await expect(ask()).rejects.toThrow('context deadline exceeded');
    expect(clock.monotonic()).toBe(5_000);
  });

  it('fails when the webhook serves with a CA that is not trusted; the newest CA counts', async () => {
    await expect(ask(authority('other'))).rejects.toThrow('x509');
    server.serveWith(served('second', 'first'));
    await expect(ask(authority('first'))).rejects.toThrow('x509');
    expect(await ask(authority('second') + authority('first'))).toBe('{"decided":true}');
  });

  it('meets each fault of the network, and none takes longer than the timeout', async () => {
    await make(100);
    const seen = new Set<string>();
    for (let asked = 0; asked < 100; asked++) {
      const startMs = clock.monotonic();
      seen.add(await ask().catch((error: Error) => error.message.replace(/ \d.*/, '')));
      expect(clock.monotonic() - startMs).toBeLessThanOrEqual(3_000);
    }
    expect([...seen].sort()).toEqual([
      'EOF',
      'connect ECONNREFUSED',
      'context deadline exceeded',
      'the server responded with the status code',
      '{"decided":true}',
    ]);
  });
});
