import { describe, expect, it } from 'vitest';
import { readWebhookSettings } from '@/server/config/webhook';
import { controllerWrites } from './controller-writes';

const laptopCluster = { name: 'kind', server: 'https://127.0.0.1:6443', namespace: 'default' };
const farCluster = { name: 'prod', server: 'https://prod.example:6443', namespace: 'default' };
const named = (writes: ReturnType<typeof controllerWrites>) =>
  writes.map(({ kind, namespace, name }) => [kind, namespace, name].filter((part) => part !== '').join(' '));

const LEASE = 'Lease default bravo-controller';
const KEY = 'Secret default bravo-fingerprint-key';
const SIGNING = ['Secret default bravo-signing-key', 'ConfigMap default bravo-signing-keys'];
const CONFIGURATION = 'MutatingWebhookConfiguration kudo-manager-instance-admission-webhook-config';

describe('what a controller beside the console writes by itself', () => {
  it('names the lease, the keys, and the webhook configuration that points at this process', () => {
    const writes = controllerWrites(readWebhookSettings({}), laptopCluster, 'default');
    expect(named(writes)).toEqual([LEASE, KEY, ...SIGNING, CONFIGURATION]);
    expect(writes.at(-1)?.purpose).toContain('this process, at https://127.0.0.1,');
  });

  it('names the namespace that an installation in the cluster has made the one of all controllers', () => {
    const writes = controllerWrites(readWebhookSettings({}), laptopCluster, 'kudo-system');
    expect(writes.slice(0, -1).map(({ namespace }) => namespace)).toEqual(Array(4).fill('kudo-system'));
  });

  it('names the address of the settings', () => {
    const settings = readWebhookSettings({ BRAVO_WEBHOOK_URL: 'https://10.0.0.5:9443' });
    expect(controllerWrites(settings, farCluster, 'default').at(-1)?.purpose).toContain('https://10.0.0.5:9443');
  });

  it('names the Secret of the certificate behind a Service', () => {
    const settings = readWebhookSettings({ BRAVO_WEBHOOK_SERVICE: 'bravo/hook' });
    expect(named(controllerWrites(settings, farCluster, 'default'))).toEqual([
      LEASE,
      KEY,
      ...SIGNING,
      'Secret bravo bravo-webhook-certificate',
      CONFIGURATION,
    ]);
  });

  it.each([
    [{}, farCluster],
    [{ BRAVO_WEBHOOK: 'off' }, laptopCluster],
  ])('says that no webhook is registered where it cannot be reached: %j', (environment, cluster) => {
    expect(controllerWrites(readWebhookSettings(environment), cluster, 'default').at(-1)?.purpose).toMatch(
      /^Not created/,
    );
  });
});
