import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import { CONFIGURATION_NAME, CONFIGURATIONS, RUN_WEBHOOK_NAME, WEBHOOK_NAME, WEBHOOK_PATH } from './registration';
import type { ControllerWebhook } from './webhook';
import { inCluster, OURS, remote, sandboxed, shownBy, startWebhookWorld, type WebhookWorld } from './webhook-fixture';

let at: WebhookWorld;

beforeEach(async () => {
  at = await startWebhookWorld();
});
afterEach(() => at.stop());

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

const leaveKudos = () => at.world.run(at.world.people.create(CONFIGURATIONS, kudos()));

describe('the webhook in a cluster without its Service', () => {
  it('is not registered, says so once, and is as soon as the Service is there', async () => {
    const webhook = await at.start(inCluster, true);
    await at.world.pass(180_000);
    expect(at.stored(OURS)).toBeUndefined();
    expect(at.said.filter((line) => line.includes('There is no Service ops/bravo-webhook'))).toHaveLength(1);
    await at.makeService();
    await at.world.pass(70_000);
    await at.serves(webhook);
  });
});

describe('the webhook of a controller that was frozen past its lease', () => {
  it('C08: changes nothing when it wakes up, though nobody has told it yet', async () => {
    await at.makeService();
    const webhook = await at.start(inCluster, true);
    await at.serves(webhook);
    at.holdsLease = false;
    const others = { ...at.entry(), clientConfig: { url: 'https://the-other-one.example.org/' } };
    await at.world.run(at.world.people.patch(OURS, 'merge', { webhooks: [others] }));
    await at.world.pass(180_000);
    expect(stringAt(at.entry(), 'clientConfig', 'url')).toBe('https://the-other-one.example.org/');
    await at.world.run(at.world.people.delete(OURS));
    await at.world.pass(180_000);
    expect(at.stored(OURS)).toBeUndefined();
    at.holdsLease = true;
    await at.world.pass(70_000);
    await at.serves(webhook);
  });
});

describe('the webhook behind a Service that the API server does not reach', () => {
  const why = 'no endpoints available for service "bravo-webhook"';
  beforeEach(async () => {
    await at.makeService();
    at.reach = { kind: 'unreached', why };
  });

  it('serves already, so that its replica becomes an endpoint, is not registered, and is once it is reached', async () => {
    const leader = await at.start(inCluster, true);
    const follower = await at.start(inCluster, false);
    await at.world.pass(70_000);
    expect(at.stored(OURS)).toBeUndefined();
    expect(at.said.filter((line) => line.startsWith('webhook.not-registered'))).toEqual([
      expect.stringContaining(`bravo-webhook.ops.svc: ${JSON.stringify(why).slice(1, -1)}`),
    ]);
    expect(await shownBy(follower).then(({ fingerprint256 }) => fingerprint256)).toBe(
      (await shownBy(leader)).fingerprint256,
    );
    at.reach = { kind: 'reached' };
    await at.world.pass(70_000);
    await at.serves(leader);
    await at.serves(follower);
    expect(leader.words).toBe('is registered at bravo-webhook.ops.svc');
  });

  it('takes the registration back of a pod before it, and says so', async () => {
    at.reach = { kind: 'reached' };
    const before = await at.start(inCluster, true);
    expect(at.stored(OURS)).toBeDefined();
    before.onLeadership(false);
    at.reach = { kind: 'unreached', why };
    await at.start(inCluster, true);
    expect(at.stored(OURS)).toBeUndefined();
    expect(at.said.filter((line) => line.startsWith('webhook.withdrawn'))).toHaveLength(1);
  });

  it('removes what KUDO left, when nobody is behind that either', async () => {
    await leaveKudos();
    await at.start(inCluster, true);
    expect(at.stored(OURS)).toBeUndefined();
    expect(at.said.filter((line) => line.startsWith('webhook.removed'))).toHaveLength(1);
  });
});

describe('what KUDO left behind', () => {
  it('is taken over by a webhook that can be reached, and refuses nobody any more', async () => {
    await leaveKudos();
    const webhook = await at.start(sandboxed, true);
    const names = arrayAt(at.stored(OURS), 'webhooks').map((entry) => stringAt(entry, 'name'));
    expect(names).toEqual([WEBHOOK_NAME, RUN_WEBHOOK_NAME]);
    expect(at.entry()).toMatchObject({
      clientConfig: { url: `https://127.0.0.1:${webhook.port}${WEBHOOK_PATH}` },
      admissionReviewVersions: ['v1', 'v1beta1'],
      failurePolicy: 'Ignore',
    });
    expect(at.stored(OURS)?.metadata.annotations).toEqual({ 'bravo.kudo.dev/installed-by': 'bravo' });
    expect(at.said.join('\n')).toContain('webhook.taken-over');
  });

  it('is removed by one that cannot be reached, when nobody is behind its Service', async () => {
    await leaveKudos();
    await at.start(remote, true);
    expect(at.stored(OURS)).toBeUndefined();
  });

  it('stays when somebody is behind its Service: KUDO lives', async () => {
    await leaveKudos();
    const name = 'kudo-controller-manager-service';
    const namespace = 'kudo-system';
    await at.world.run(
      at.world.people.create(
        { group: '', version: 'v1', resource: 'namespaces' },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ),
    );
    await at.world.run(
      at.world.people.create(
        { group: '', version: 'v1', resource: 'endpoints', namespace },
        {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name, namespace },
          subsets: [{ addresses: [{ ip: '10.0.0.9' }], ports: [{ port: 443 }] }],
        },
      ),
    );
    await at.start(remote, true);
    expect(at.entry().failurePolicy).toBe('Fail');
    await at.world.pass(180_000);
    expect(at.said.filter((line) => line.startsWith('webhook.foreign'))).toHaveLength(1);
  });
});

describe('the webhook outside of a cluster', () => {
  it('is not registered where no address is known, and says so in one line', async () => {
    const webhook = await at.start(remote, true);
    await at.world.pass(180_000);
    expect(webhook.port).toBeUndefined();
    expect(at.stored(OURS)).toBeUndefined();
    expect(at.said).toEqual([expect.stringMatching(/^webhook.not-registered .*BRAVO_WEBHOOK_URL/)]);
  });

  it('is registered by the leader only, and again by the next one', async () => {
    const first = await at.start(sandboxed, true);
    const second = await at.start(sandboxed, false);
    const url = (webhook: ControllerWebhook) => `https://127.0.0.1:${webhook.port}${WEBHOOK_PATH}`;
    expect(stringAt(at.entry(), 'clientConfig', 'url')).toBe(url(first));
    first.onLeadership(false);
    second.onLeadership(true);
    await at.world.pass(1_000);
    expect(stringAt(at.entry(), 'clientConfig', 'url')).toBe(url(second));
    await at.world.run(first.stop());
    expect(stringAt(at.entry(), 'clientConfig', 'url')).toBe(url(second));
    await at.world.run(second.stop());
    expect(at.stored(OURS)).toBeUndefined();
  });

  it('removes a URL that a killed one left behind, when it is switched off now', async () => {
    await at.start(sandboxed, true);
    await at.start(sandboxed, true, { BRAVO_WEBHOOK: 'off' });
    expect(at.stored(OURS)).toBeUndefined();
  });

  it('goes on trying when it may not register, and says so once', async () => {
    const registering = /mutatingwebhookconfigurations/;
    let isForbidden = true;
    const { people } = at.world;
    await at.start(
      sandboxed,
      true,
      {},
      {
        get: (target: Target) =>
          isForbidden && registering.test(target.resource)
            ? Promise.reject(new Error('mutatingwebhookconfigurations is forbidden'))
            : people.get(target),
      },
    );
    await at.world.pass(60_000);
    expect(at.said.filter((line) => line.startsWith('webhook.not-registered'))).toHaveLength(1);
    isForbidden = false;
    await at.world.pass(60_000);
    expect(at.stored(OURS)).toBeDefined();
  });
});
