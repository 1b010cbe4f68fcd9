import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock } from '@/lib/clock/clock';
import { arrayAt, stringAt } from '@/lib/json/json';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { systemRandom } from '@/lib/random/random';
import { readWebhookSettings } from '@/server/config/webhook';
import { silentLog } from '@/server/log/log';
import {
  clusterOf,
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  startEngine,
} from '@/test/engine/https-engine';
import { VERSIONS } from '@/test/operators/admission-versions';
import { webhookPlace } from './address';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';
import { type ControllerWebhook, startWebhook } from './webhook';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NS = 'rotation';

let engine: Engine;
let webhook: ControllerWebhook;
/** The webhook begins long ago, with certificates that are still valid today. */
let behindMs = 50 * DAY_MS;
let served = 0;

beforeAll(async () => {
  engine = await startEngine({ controller: false });
  await createNamespace(engine.api, NS);
  await createOperator(engine.api, NS, 'case', VERSIONS.plain ?? {});
  const clock: Clock = { ...systemClock, now: () => systemClock.now() - behindMs };
  webhook = await startWebhook({
    api: engine.api,
    clock,
    random: systemRandom,
    log: {
      ...silentLog,
      info: (event) => {
        if (event === 'webhook.certificate-served') served++;
      },
    },
    place: webhookPlace(readWebhookSettings({}), clusterOf(engine.sandbox)),
    namespace: 'default',
    fingerprints: TEST_FINGERPRINTS,
    watchedVersion: () => undefined,
  });
  webhook.onLeadership(true);
  await eventually('it is registered', async () => (await bundleNow()) !== undefined);
  expect(served).toBe(1);
});
afterAll(async () => {
  await webhook?.stop();
  await engine?.stop();
});

const bundleNow = async () => {
  const live = await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
  return stringAt(arrayAt(live, 'webhooks')[0], 'clientConfig', 'caBundle');
};

/** An answer of the webhook to a real call over TLS: nobody else refuses this. */
const isAsked = (name: string) =>
  expect(createInstance(engine.api, NS, name, 'case-nowhere')).rejects.toMatchObject({ cause: { code: 500 } });

it('MGR-02 the API server goes on trusting the webhook while its certificate is replaced', async () => {
  await isAsked('first');
  const bundle = await bundleNow();

  behindMs = 0;
  webhook.onLeadership(true);
  await eventually('the certificate is replaced', async () => served === 2);
  await isAsked('second');
  expect(await bundleNow()).toBe(bundle);
  const created = await createInstance(engine.api, NS, 'kept', 'case-plain');
  expect(created.spec?.planExecution?.planName).toBe('deploy');
});
