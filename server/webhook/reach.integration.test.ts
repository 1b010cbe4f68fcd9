import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, stringAt } from '@/lib/json/json';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { readStatus } from '@/server/kube/errors';
import { silentLog } from '@/server/log/log';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  startEngine,
} from '@/test/engine/https-engine';
import { VERSIONS } from '@/test/operators/admission-versions';
import { startTcpProxy, type TcpProxy } from '@/test/programs/tcp-proxy';
import { PROBE_NAME } from './reach';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';
import { type ControllerWebhook, startWebhook } from './webhook';

const NS = 'reach';

let engine: Engine;
let webhook: ControllerWebhook;
/** The way from the API server to the webhook. */
let way: TcpProxy;
let said: string[];
/** What the webhook says of itself, one after the other. */
let told: string[];
/** What the monotonic clock of the webhook is ahead. */
let aheadMs: number;

beforeEach(async () => {
  said = [];
  told = [];
  aheadMs = 0;
  engine = await startEngine({ controller: false });
  await createNamespace(engine.api, NS);
  await createOperator(engine.api, NS, 'case', VERSIONS.plain ?? {});
  way = await startTcpProxy(() => webhook.port ?? 0);
});
afterEach(async () => {
  await webhook.stop();
  await way.close();
  await engine.stop();
});

async function start(api: Partial<Api> = {}): Promise<void> {
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + aheadMs };
  const note = (event: string, fields: object = {}) => void said.push(`${event} ${JSON.stringify(fields)}`);
  webhook = await startWebhook({
    api: { ...engine.api, ...api },
    clock,
    random: systemRandom,
    log: { ...silentLog, info: note, warn: note, error: note },
    place: {
      kind: 'here',
      listen: { host: '127.0.0.1', port: 0 },
      address: () => ({ kind: 'url', url: `https://127.0.0.1:${way.port}`, names: ['127.0.0.1'] }),
    },
    namespace: NS,
    onWords: (words) => void told.push(words),
    fingerprints: TEST_FINGERPRINTS,
    watchedVersion: () => undefined,
  });
  webhook.onLeadership(true);
}

const registeredUrl = async () => {
  const live = await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
  return stringAt(arrayAt(live, 'webhooks')[0], 'clientConfig', 'url');
};
const isRegistered = () => eventually('the webhook is registered', registeredUrl);
const isSaid = (event: string) =>
  eventually(`${event} is said`, async () => said.find((line) => line.startsWith(event)));
/** Nobody but the webhook refuses this. */
const isRefused = (name: string) =>
  expect(createInstance(engine.api, NS, name, 'case-nowhere')).rejects.toMatchObject({ cause: { code: 500 } });

describe('a webhook that the API server cannot call', () => {
  it('is never registered, so that no edit waits for it, and says why', async () => {
    way.cut();
    await start();
    expect(await isSaid('webhook.not-registered')).toMatch(
      /The API server cannot call the webhook at https:\/\/127\.0\.0\.1:\d+\/.*BRAVO_WEBHOOK_URL/,
    );
    expect(await registeredUrl()).toBeUndefined();
    expect(said.filter((line) => line.startsWith('webhook.registered'))).toEqual([]);
    expect(webhook.words).toMatch(/^is not registered: the API server cannot call https/);
    const taken = await createInstance(engine.api, NS, 'unasked', 'case-nowhere');
    expect(taken.spec?.planExecution).toBeUndefined();
  });

  it('leaves nothing behind of the try: neither a configuration nor an Instance', async () => {
    way.cut();
    await start();
    await isSaid('webhook.not-registered');
    expect(await engine.api.get({ ...CONFIGURATIONS, name: PROBE_NAME })).toBeUndefined();
    const { items } = await engine.api.list({ group: 'kudo.dev', version: 'v1beta1', resource: 'instances' });
    expect(items).toEqual([]);
  });

  it('takes back its own try alone: what another leader tries at the same time stays', async () => {
    way.cut();
    const deletions: unknown[] = [];
    await start({
      delete: (target, options) => {
        deletions.push(options);
        return engine.api.delete(target, options);
      },
    });
    await isSaid('webhook.not-registered');
    expect(deletions.length).toBeGreaterThan(0);
    expect(deletions).toEqual(deletions.map(() => expect.objectContaining({ uid: expect.any(String) })));
  });

  it('is registered as soon as the way is open', async () => {
    way.cut();
    await start();
    await isSaid('webhook.not-registered');
    way.restore();
    webhook.onLeadership(true);
    await isRegistered();
    await eventually('it says so', async () => webhook.words.startsWith('is registered at https'));
    const ways = told.map((words) => words.split(':')[0]).filter((words) => words?.startsWith('is '));
    expect(ways).toEqual(['is not registered', 'is registered at https']);
    await isRefused('asked');
  });

  it('takes its registration back when the way is closed later', async () => {
    await start();
    await isRegistered();
    await isRefused('asked');
    way.cut();
    aheadMs = 11 * 60_000;
    webhook.onLeadership(true);
    await isSaid('webhook.withdrawn');
    expect(await registeredUrl()).toBeUndefined();
  });

  it('removes what another one left, when nobody serves that either', async () => {
    const killed = `https://127.0.0.1:${way.port}/admit-kudo-dev-v1beta1-instance`;
    await start();
    await isRegistered();
    const live = await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
    await webhook.stop();
    expect(await registeredUrl()).toBeUndefined();
    const { resourceVersion: _, uid: __, ...metadata } = live?.metadata ?? { name: CONFIGURATION_NAME };
    if (live !== undefined) await engine.api.create(CONFIGURATIONS, { ...live, metadata });
    expect(await registeredUrl()).toBe(killed);
    way.cut();
    await start();
    await isSaid('webhook.withdrawn');
    expect(await registeredUrl()).toBeUndefined();
  });
});

describe('a webhook that cannot try whether it is reached', () => {
  it.each([
    ['create Instances', 'instances', ''],
    ['make a configuration beside its own', 'mutatingwebhookconfigurations', PROBE_NAME],
  ])('because it may not %s is registered all the same, and says so once', async (_what, resource, name) => {
    const message = `${resource} is forbidden: User "bravo" cannot create that`;
    const cause = readStatus(403, JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message }));
    await start({
      create: (target, object, options) =>
        target.resource === resource && object.metadata.name?.includes(name) === true
          ? Promise.reject(new TerminalError(message, 'Forbidden', { cause }))
          : engine.api.create(target, object, options),
    });
    await isRegistered();
    expect(webhook.words).toContain(`untried: ${message}`);
    webhook.onLeadership(true);
    await isRefused('asked');
    expect(said.filter((line) => line.startsWith('webhook.not-tried'))).toHaveLength(1);
  });
});

describe('what a process left that was killed in the middle of its try', () => {
  it('is replaced, and gone after the next one', async () => {
    const metadata = { name: PROBE_NAME };
    const kind = 'MutatingWebhookConfiguration';
    await engine.api.create(CONFIGURATIONS, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata });
    await start();
    await isRegistered();
    expect(await engine.api.get({ ...CONFIGURATIONS, name: PROBE_NAME })).toBeUndefined();
  });
});
