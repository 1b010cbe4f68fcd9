import { describe, expect, it } from 'vitest';
import { readWebhookSettings } from '@/server/config/webhook';
import { webhookPlace } from './address';

const sandbox = { name: 'bravo-sandbox', server: 'https://127.0.0.1:6440', namespace: 'default' };
const remote = { name: 'prod', server: 'https://k8s.example.org:6443', namespace: 'default' };
const inCluster = { name: 'in-cluster', server: 'https://10.96.0.1:443', namespace: 'ops' };

const place = (environment: { [name: string]: string }, cluster: typeof remote) => {
  const found = webhookPlace(readWebhookSettings(environment), cluster);
  return found.kind === 'none' ? found : { listen: found.listen, ...found.address(41_000) };
};

describe('webhookPlace', () => {
  it('is a URL of the loopback interface where the API server is there too', () => {
    const listen = { host: '127.0.0.1', port: 0 };
    expect(place({}, sandbox)).toEqual({ listen, kind: 'url', url: 'https://127.0.0.1:41000', names: ['127.0.0.1'] });
    expect(place({ BRAVO_WEBHOOK_PORT: '7000' }, sandbox)).toMatchObject({ listen: { port: 7000 } });
  });

  it('is the Service of the own namespace in a cluster, or the one that is named', () => {
    expect(place({}, inCluster)).toEqual({
      listen: { host: undefined, port: 9443 },
      kind: 'service',
      namespace: 'ops',
      name: 'bravo-webhook',
      port: 443,
      names: ['bravo-webhook', 'bravo-webhook.ops', 'bravo-webhook.ops.svc', 'bravo-webhook.ops.svc.cluster.local'],
    });
    expect(place({ BRAVO_WEBHOOK_SERVICE: 'web/hook' }, remote)).toMatchObject({ namespace: 'web', name: 'hook' });
  });

  it('is nowhere when the API server is on another machine, unless the settings know', () => {
    expect(place({}, remote)).toMatchObject({ kind: 'none', why: expect.stringContaining('BRAVO_WEBHOOK_URL') });
    expect(place({ BRAVO_WEBHOOK_URL: 'https://10.0.0.7:9000' }, remote)).toEqual({
      listen: { host: undefined, port: 9000 },
      kind: 'url',
      url: 'https://10.0.0.7:9000',
      names: ['10.0.0.7'],
    });
    expect(place({ BRAVO_WEBHOOK_URL: 'https://[fd00::7]' }, remote)).toMatchObject({
      listen: { port: 443 },
      names: ['fd00::7'],
    });
  });

  it('is nowhere when it is switched off', () => {
    expect(place({ BRAVO_WEBHOOK: 'off' }, sandbox)).toMatchObject({ kind: 'none' });
  });
});

describe('readWebhookSettings', () => {
  it('names every mistake in one error', () => {
    const read = () =>
      readWebhookSettings({
        BRAVO_WEBHOOK: 'maybe',
        BRAVO_WEBHOOK_URL: 'http://example.org/x',
        BRAVO_WEBHOOK_SERVICE: 'A/B/C',
        BRAVO_WEBHOOK_PORT: '99999',
      });
    expect(read).toThrow(
      /BRAVO_WEBHOOK: "maybe"[\s\S]*BRAVO_WEBHOOK_URL: "http[\s\S]*BRAVO_WEBHOOK_SERVICE: "A[\s\S]*BRAVO_WEBHOOK_PORT: "99999"/,
    );
  });

  it('takes one address and not two', () => {
    const both = { BRAVO_WEBHOOK_URL: 'https://a.example:1', BRAVO_WEBHOOK_SERVICE: 'b' };
    expect(() => readWebhookSettings(both)).toThrow('exclude each other');
  });
});
