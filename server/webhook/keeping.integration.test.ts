import type { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTime } from '@/lib/clock/clock';
import { numberAt } from '@/lib/json/json';
import { WEBHOOK_NAME, WEBHOOK_PATH } from './registration';
import { inCluster, OURS, SECRET, shownBy, startWebhookWorld, type WebhookWorld } from './webhook-fixture';

const DAY_MS = 24 * 60 * 60 * 1_000;

let at: WebhookWorld;

beforeEach(async () => {
  at = await startWebhookWorld();
});
afterEach(() => at.stop());

describe('the webhook in a cluster', () => {
  beforeEach(() => at.makeService());

  it('keeps its certificate in a Secret and is registered by its Service, under the names of KUDO', async () => {
    const webhook = await at.start(inCluster, true);
    expect(at.stored(SECRET)?.type).toBe('kubernetes.io/tls');
    expect(at.stored(OURS)?.apiVersion).toBe('admissionregistration.k8s.io/v1');
    expect(at.entry()).toMatchObject({
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
        {
          apiGroups: ['bravo.kudo.dev'],
          apiVersions: ['v1alpha1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['planapprovals', 'planapprovals/status'],
          scope: 'Namespaced',
        },
      ],
    });
    expect(numberAt(at.entry(), 'timeoutSeconds')).toBeLessThanOrEqual(5);
    await at.serves(webhook);
    expect((await shownBy(webhook)).checkHost('bravo-webhook.ops.svc')).toBe('bravo-webhook.ops.svc');
  });

  it('writes nothing while nothing is due', async () => {
    await at.start(inCluster, true);
    const versions = [at.stored(OURS), at.stored(SECRET)].map((object) => object?.metadata.resourceVersion);
    await at.world.pass(10 * 60_000);
    expect([at.stored(OURS), at.stored(SECRET)].map((object) => object?.metadata.resourceVersion)).toEqual(versions);
  });

  it('MGR-02 serves the new certificate before the old one ends, and a replica takes it from the Secret', async () => {
    const leader = await at.start(inCluster, true);
    const follower = await at.start(inCluster, false);
    await at.serves(follower);
    const first = await shownBy(leader);
    at.aheadMs = 41 * DAY_MS;
    await at.world.pass(70_000);
    expect((await shownBy(leader)).fingerprint256).not.toBe(first.fingerprint256);
    const endOf = ({ validTo }: X509Certificate) => parseTime(validTo) ?? 0;
    expect(endOf(await shownBy(leader))).toBeGreaterThan(endOf(first));
    await at.serves(leader);
    await at.world.pass(70_000);
    await at.serves(follower);
  });

  it('MGR-02 tells the API server of a new authority and of the former one, so that no replica is distrusted', async () => {
    const leader = await at.start(inCluster, true);
    const follower = await at.start(inCluster, false);
    const former = at.bundle();
    at.aheadMs = 740 * DAY_MS;
    await at.world.pass(70_000);
    expect(at.bundle()).not.toBe(former);
    expect(at.bundle().endsWith(former)).toBe(true);
    await at.world.pass(70_000);
    await at.serves(leader);
    await at.serves(follower);
  });

  it('makes anew what somebody deleted or spoiled, within about a minute', async () => {
    const webhook = await at.start(inCluster, true);
    await at.world.run(at.world.people.delete(OURS));
    await at.world.run(at.world.people.patch(SECRET, 'merge', { data: { 'tls.key': '', 'ca.crt': 'AAAA' } }));
    await at.world.pass(70_000);
    await at.serves(webhook);
    await at.world.run(
      at.world.people.patch(OURS, 'json', [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Fail' }]),
    );
    await at.world.pass(70_000);
    expect(at.entry().failurePolicy).toBe('Ignore');
  });

  it('two that make the first certificate at once agree on one', async () => {
    const [one, two] = await Promise.all([at.start(inCluster, true), at.start(inCluster, true)]);
    await at.world.pass(70_000);
    if (one === undefined || two === undefined) throw new Error('not started');
    await at.serves(one);
    await at.serves(two);
  });
});
