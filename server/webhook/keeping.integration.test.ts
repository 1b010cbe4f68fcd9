import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, startWorld } from '@/e2e/compat/engine/engine-fixture';
import { type Clock, parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { seededRandom } from '@/lib/random/random';
import { readWebhookSettings } from '@/server/config/webhook';
import type { Target } from '@/server/kube/api';
import { silentLog } from '@/server/log/log';
import { type ClusterPlace, type WebhookPlace, webhookPlace } from './address';
import { WEBHOOK_SECRET } from './certificate-store';
import { CONFIGURATION_NAME, CONFIGURATIONS, WEBHOOK_NAME, WEBHOOK_PATH } from './registration';
import { startWebhook, type Webhook } from './webhook';

const DAY_MS = 24 * 60 * 60 * 1_000;
const OURS: Target = { ...CONFIGURATIONS, name: CONFIGURATION_NAME };
const SECRET: Target = { group: '', version: 'v1', resource: 'secrets', namespace: 'ops', name: WEBHOOK_SECRET };
const inCluster: ClusterPlace = { name: 'in-cluster', server: 'https://10.96.0.1', namespace: 'ops' };
const remote: ClusterPlace = { name: 'far', server: 'https://far.example.org', namespace: 'default' };
const sandboxed: ClusterPlace = { name: 'bravo-sandbox', server: 'https://127.0.0.1:6440', namespace: 'default' };

let world: EngineWorld;
let webhooks: Webhook[];
let said: string[];
/** What the wall clock of the webhooks is ahead of the world's. */
let aheadMs: number;

beforeEach(async () => {
  world = await startWorld({ mode: 'no-controllers' });
  webhooks = [];
  said = [];
  aheadMs = 0;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ops' } };
  await world.run(world.people.create({ group: '', version: 'v1', resource: 'namespaces' }, namespace));
});
afterEach(async () => {
  for (const webhook of webhooks) await world.run(webhook.stop());
  await world.stop();
});

/** On the loopback interface whatever the address: tests have no Service. */
const here = (place: WebhookPlace): WebhookPlace =>
  place.kind === 'none' ? place : { ...place, listen: { host: '127.0.0.1', port: 0 } };

async function start(cluster: ClusterPlace, leads: boolean, environment: { [name: string]: string } = {}) {
  const clock: Clock = {
    now: () => world.clock.now() + aheadMs,
    monotonic: () => world.clock.monotonic(),
    after: (delayMs, run) => world.clock.after(delayMs, run),
  };
  const note = (event: string, fields: object = {}) => void said.push(`${event} ${JSON.stringify(fields)}`);
  const webhook = await startWebhook({
    api: world.people,
    clock,
    random: seededRandom(`webhook ${webhooks.length}`),
    log: { ...silentLog, info: note, warn: note, error: note },
    place: here(webhookPlace(readWebhookSettings(environment), cluster)),
    watchedVersion: () => undefined,
  });
  webhooks.push(webhook);
  webhook.onLeadership(leads);
  await world.pass(1_000);
  return webhook;
}

const stored = (target: Target): KubeObject | undefined =>
  world.sandbox.api.get({ ...target, name: target.name ?? '' });
const entry = (): JsonObject => objectAt(arrayAt(stored(OURS), 'webhooks')[0]);
const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('utf8');
const bundle = () => decoded(stringAt(entry(), 'clientConfig', 'caBundle'));
const secretPart = (name: string) => decoded(stringAt(stored(SECRET), 'data', name));

/** The certificate that a new connection is shown. Times of the virtual clock are long past, so it is not checked here. */
const shown = (webhook: Webhook): Promise<X509Certificate> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: webhook.port ?? 0, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    });
    socket.on('error', reject);
  });

async function serves(webhook: Webhook): Promise<void> {
  const certificate = await shown(webhook);
  expect(certificate.fingerprint256).toBe(new X509Certificate(secretPart('tls.crt')).fingerprint256);
  expect(bundle()).toBe(secretPart('ca.crt'));
  expect(certificate.verify(new X509Certificate(bundle()).publicKey)).toBe(true);
}

const makeService = () =>
  world.run(
    world.people.create(
      { group: '', version: 'v1', resource: 'services', namespace: 'ops' },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'bravo-webhook', namespace: 'ops' },
        spec: { ports: [{ port: 443, targetPort: 9443 }], selector: { app: 'bravo-controller' } },
      },
    ),
  );

describe('the webhook in a cluster', () => {
  beforeEach(makeService);

  it('keeps its certificate in a Secret and is registered by its Service, under the names of KUDO', async () => {
    const webhook = await start(inCluster, true);
    expect(stored(SECRET)?.type).toBe('kubernetes.io/tls');
    expect(stored(OURS)?.apiVersion).toBe('admissionregistration.k8s.io/v1');
    expect(entry()).toMatchObject({
      name: WEBHOOK_NAME,
      clientConfig: { service: { namespace: 'ops', name: 'bravo-webhook', port: 443, path: WEBHOOK_PATH } },
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      matchPolicy: 'Equivalent',
      admissionReviewVersions: ['v1', 'v1beta1'],
      rules: [
        {
          apiGroups: ['kudo.dev'],
          apiVersions: ['v1beta1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['instances'],
          scope: 'Namespaced',
        },
      ],
    });
    expect(numberAt(entry(), 'timeoutSeconds')).toBeLessThanOrEqual(5);
    await serves(webhook);
    expect((await shown(webhook)).checkHost('bravo-webhook.ops.svc')).toBe('bravo-webhook.ops.svc');
  });

  it('writes nothing while nothing is due', async () => {
    await start(inCluster, true);
    const versions = [stored(OURS), stored(SECRET)].map((object) => object?.metadata.resourceVersion);
    await world.pass(10 * 60_000);
    expect([stored(OURS), stored(SECRET)].map((object) => object?.metadata.resourceVersion)).toEqual(versions);
  });

  it('MGR-02 serves the new certificate before the old one ends, and a replica takes it from the Secret', async () => {
    const leader = await start(inCluster, true);
    const follower = await start(inCluster, false);
    await serves(follower);
    const first = await shown(leader);
    aheadMs = 41 * DAY_MS;
    await world.pass(70_000);
    expect((await shown(leader)).fingerprint256).not.toBe(first.fingerprint256);
    const endOf = ({ validTo }: X509Certificate) => parseTime(validTo) ?? 0;
    expect(endOf(await shown(leader))).toBeGreaterThan(endOf(first));
    await serves(leader);
    await world.pass(70_000);
    await serves(follower);
  });

  it('MGR-02 tells the API server of a new authority and of the former one, so that no replica is distrusted', async () => {
    const leader = await start(inCluster, true);
    const follower = await start(inCluster, false);
    const former = bundle();
    aheadMs = 740 * DAY_MS;
    await world.pass(70_000);
    expect(bundle()).not.toBe(former);
    expect(bundle().endsWith(former)).toBe(true);
    await world.pass(70_000);
    await serves(leader);
    await serves(follower);
  });

  it('makes anew what somebody deleted or spoiled, within about a minute', async () => {
    const webhook = await start(inCluster, true);
    await world.run(world.people.delete(OURS));
    await world.run(world.people.patch(SECRET, 'merge', { data: { 'tls.key': '', 'ca.crt': 'AAAA' } }));
    await world.pass(70_000);
    await serves(webhook);
    await world.run(
      world.people.patch(OURS, 'json', [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Fail' }]),
    );
    await world.pass(70_000);
    expect(entry().failurePolicy).toBe('Ignore');
  });

  it('two that make the first certificate at once agree on one', async () => {
    const [one, two] = await Promise.all([start(inCluster, true), start(inCluster, true)]);
    await world.pass(70_000);
    if (one === undefined || two === undefined) throw new Error('not started');
    await serves(one);
    await serves(two);
  });
});

/** As `kudo init` of 0.19 leaves it, converted by an API server of today; the manager behind it is gone. */
const kudos = (): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: {
    name: CONFIGURATION_NAME,
    labels: { app: 'kudo-manager' },
    annotations: { 'cert-manager.io/inject-ca-from': 'kudo-system/kudo-webhook-server-certificate' },
  },
  webhooks: [
    {
      name: WEBHOOK_NAME,
      admissionReviewVersions: ['v1beta1'],
      clientConfig: {
        service: { namespace: 'kudo-system', name: 'kudo-controller-manager-service', path: WEBHOOK_PATH, port: 443 },
        caBundle: Buffer.from('old').toString('base64'),
      },
      rules: [
        {
          apiGroups: ['kudo.dev'],
          apiVersions: ['v1beta1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['instances'],
          scope: 'Namespaced',
        },
      ],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
    },
  ],
});

const leaveKudos = () => world.run(world.people.create(CONFIGURATIONS, kudos()));

describe('the webhook in a cluster without its Service', () => {
  it('is not registered, says so once, and is as soon as the Service is there', async () => {
    const webhook = await start(inCluster, true);
    await world.pass(180_000);
    expect(stored(OURS)).toBeUndefined();
    expect(said.filter((line) => line.includes('There is no Service ops/bravo-webhook'))).toHaveLength(1);
    await makeService();
    await world.pass(70_000);
    await serves(webhook);
  });
});

describe('what KUDO left behind', () => {
  it('is taken over by a webhook that can be reached, and refuses nobody any more', async () => {
    await leaveKudos();
    const webhook = await start(sandboxed, true);
    expect(arrayAt(stored(OURS), 'webhooks')).toHaveLength(1);
    expect(entry()).toMatchObject({
      clientConfig: { url: `https://127.0.0.1:${webhook.port}${WEBHOOK_PATH}` },
      admissionReviewVersions: ['v1', 'v1beta1'],
      failurePolicy: 'Ignore',
    });
    expect(stored(OURS)?.metadata.annotations).toEqual({ 'bravo.kudo.dev/installed-by': 'bravo' });
    expect(said.join('\n')).toContain('webhook.taken-over');
  });

  it('is removed by one that cannot be reached, when nobody is behind its Service', async () => {
    await leaveKudos();
    await start(remote, true);
    expect(stored(OURS)).toBeUndefined();
  });

  it('stays when somebody is behind its Service: KUDO lives', async () => {
    await leaveKudos();
    const name = 'kudo-controller-manager-service';
    const namespace = 'kudo-system';
    await world.run(
      world.people.create(
        { group: '', version: 'v1', resource: 'namespaces' },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ),
    );
    await world.run(
      world.people.create(
        { group: '', version: 'v1', resource: 'endpoints', namespace },
        {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name, namespace },
          subsets: [{ addresses: [{ ip: '10.0.0.9' }], ports: [{ port: 443 }] }],
        },
      ),
    );
    await start(remote, true);
    expect(entry().failurePolicy).toBe('Fail');
    await world.pass(180_000);
    expect(said.filter((line) => line.startsWith('webhook.foreign'))).toHaveLength(1);
  });
});

describe('the webhook outside of a cluster', () => {
  it('is not registered where no address is known, and says so in one line', async () => {
    const webhook = await start(remote, true);
    await world.pass(180_000);
    expect(webhook.port).toBeUndefined();
    expect(stored(OURS)).toBeUndefined();
    expect(said).toEqual([expect.stringMatching(/^webhook.not-registered .*BRAVO_WEBHOOK_URL/)]);
  });

  it('is registered by the leader only, and again by the next one', async () => {
    const first = await start(sandboxed, true);
    const second = await start(sandboxed, false);
    const url = (webhook: Webhook) => `https://127.0.0.1:${webhook.port}${WEBHOOK_PATH}`;
    expect(stringAt(entry(), 'clientConfig', 'url')).toBe(url(first));
    first.onLeadership(false);
    second.onLeadership(true);
    await world.pass(1_000);
    expect(stringAt(entry(), 'clientConfig', 'url')).toBe(url(second));
    await world.run(first.stop());
    expect(stringAt(entry(), 'clientConfig', 'url')).toBe(url(second));
    await world.run(second.stop());
    expect(stored(OURS)).toBeUndefined();
    webhooks = [];
  });

  it('removes a URL that a killed one left behind, when it is switched off now', async () => {
    await start(sandboxed, true);
    await start(sandboxed, true, { BRAVO_WEBHOOK: 'off' });
    expect(stored(OURS)).toBeUndefined();
  });

  it('goes on trying when it may not register, and says so once', async () => {
    const registering = /mutatingwebhookconfigurations/;
    let isForbidden = true;
    const { people } = world;
    const api = {
      ...people,
      get: (target: Target) =>
        isForbidden && registering.test(target.resource)
          ? Promise.reject(new Error('mutatingwebhookconfigurations is forbidden'))
          : people.get(target),
    };
    world = { ...world, people: { ...people, ...api } };
    await start(sandboxed, true);
    await world.pass(60_000);
    expect(said.filter((line) => line.startsWith('webhook.not-registered'))).toHaveLength(1);
    isForbidden = false;
    await world.pass(60_000);
    expect(stored(OURS)).toBeDefined();
  });
});
