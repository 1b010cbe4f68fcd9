import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import type { Clock } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { seededRandom } from '@/lib/random/random';
import { readWebhookSettings } from '@/server/config/webhook';
import type { Api, Target } from '@/server/kube/api';
import { silentLog } from '@/server/log/log';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { type ClusterPlace, type WebhookPlace, webhookPlace } from './address';
import { WEBHOOK_SECRET } from './certificate-store';
import type { Reach } from './reach';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';
import { type ControllerWebhook, startWebhook } from './webhook';

export const OURS: Target = { ...CONFIGURATIONS, name: CONFIGURATION_NAME };
export const SECRET: Target = { group: '', version: 'v1', resource: 'secrets', namespace: 'ops', name: WEBHOOK_SECRET };
export const inCluster: ClusterPlace = { name: 'in-cluster', server: 'https://10.96.0.1', namespace: 'ops' };
export const remote: ClusterPlace = { name: 'far', server: 'https://far.example.org', namespace: 'default' };
export const sandboxed: ClusterPlace = {
  name: 'bravo-sandbox',
  server: 'https://127.0.0.1:6440',
  namespace: 'default',
};

/** Webhooks on a virtual clock, beside an API without a network. */
export interface WebhookWorld {
  readonly world: VirtualEngine;
  /** `EVENT {fields}`, of all webhooks. */
  readonly said: string[];
  /** What the wall clock of the webhooks is ahead of the world's. */
  aheadMs: number;
  /** What the webhooks find out about the way to them. */
  reach: Reach;
  /** False when the lease of all webhooks ran out and none of them was told. */
  holdsLease: boolean;
  start(
    cluster: ClusterPlace,
    leads: boolean,
    environment?: { [name: string]: string },
    api?: Partial<Api>,
  ): Promise<ControllerWebhook>;
  stored(target: Target): KubeObject | undefined;
  /** The entry of the registration. */
  entry(): JsonObject;
  bundle(): string;
  makeService(): Promise<unknown>;
  /** Fails unless a new connection is shown what the Secret and the registration say. */
  serves(webhook: ControllerWebhook): Promise<void>;
  stop(): Promise<void>;
}

export async function startWebhookWorld(): Promise<WebhookWorld> {
  const world = await startVirtualEngine({ mode: 'no-controllers' });
  const webhooks: ControllerWebhook[] = [];
  await makeNamespace(world);
  const found: WebhookWorld = {
    world,
    said: [],
    aheadMs: 0,
    reach: { kind: 'reached' },
    holdsLease: true,
    async start(cluster, leads, environment = {}, api = {}) {
      const webhook = await startOne(found, { cluster, environment, api, seed: `webhook ${webhooks.length}` });
      webhooks.push(webhook);
      webhook.onLeadership(leads);
      await world.pass(1_000);
      return webhook;
    },
    stored: (target) => world.sandbox.api.get({ ...target, name: target.name ?? '' }),
    entry: () => objectAt(arrayAt(found.stored(OURS), 'webhooks')[0]),
    bundle: () => decoded(stringAt(found.entry(), 'clientConfig', 'caBundle')),
    makeService: () => makeService(world),
    async serves(webhook) {
      const secretPart = (name: string) => decoded(stringAt(found.stored(SECRET), 'data', name));
      const certificate = await shownBy(webhook);
      expectSame(certificate.fingerprint256, new X509Certificate(secretPart('tls.crt')).fingerprint256);
      expectSame(found.bundle(), secretPart('ca.crt'));
      expectSame(String(certificate.verify(new X509Certificate(found.bundle()).publicKey)), 'true');
    },
    async stop() {
      for (const webhook of webhooks) await world.run(webhook.stop());
      await world.stop();
    },
  };
  return found;
}

/** The certificate that a new connection is shown. Times of the virtual clock are long past, so it is not checked here. */
export function shownBy(webhook: ControllerWebhook): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: webhook.port ?? 0, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    });
    socket.on('error', reject);
  });
}

interface Start {
  readonly cluster: ClusterPlace;
  readonly environment: { readonly [name: string]: string };
  readonly api: Partial<Api>;
  readonly seed: string;
}

function startOne(found: WebhookWorld, { cluster, environment, api, seed }: Start): Promise<ControllerWebhook> {
  const { world, said } = found;
  const clock: Clock = {
    now: () => world.clock.now() + found.aheadMs,
    monotonic: () => world.clock.monotonic(),
    after: (delayMs, run) => world.clock.after(delayMs, run),
  };
  const note = (event: string, fields: object = {}) => void said.push(`${event} ${JSON.stringify(fields)}`);
  return startWebhook({
    api: { ...world.people, ...api },
    clock,
    random: seededRandom(seed),
    fingerprints: TEST_FINGERPRINTS,
    log: { ...silentLog, info: note, warn: note, error: note },
    place: onLoopback(webhookPlace(readWebhookSettings(environment), cluster)),
    namespace: 'ops',
    leads: () => found.holdsLease,
    askReach: () => Promise.resolve(found.reach),
    watchedVersion: () => undefined,
  });
}

/** Listens there whatever the address: tests have no Service. */
const onLoopback = (place: WebhookPlace): WebhookPlace =>
  place.kind === 'none' ? place : { ...place, listen: { host: '127.0.0.1', port: 0 } };

const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('utf8');

function expectSame(found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`it serves ${found}, and should serve ${wanted}`);
}

function makeNamespace(world: VirtualEngine) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ops' } };
  return world.run(world.people.create({ group: '', version: 'v1', resource: 'namespaces' }, namespace));
}

function makeService(world: VirtualEngine) {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'bravo-webhook', namespace: 'ops' },
    spec: { ports: [{ port: 443, targetPort: 9443 }], selector: { app: 'bravo-controller' } },
  };
  return world.run(world.people.create({ group: '', version: 'v1', resource: 'services', namespace: 'ops' }, service));
}
