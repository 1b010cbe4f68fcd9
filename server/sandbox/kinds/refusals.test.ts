import { describe, expect, it } from 'vitest';
import { TestCluster } from '../testing/test-cluster';
import { resources } from '../workloads/core/resources';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const set = { serviceName: 's', selector: { matchLabels: { a: 'b' } }, template };
const job = { spec: { template: { spec: { restartPolicy: 'Never', containers: template.spec.containers } } } };
const cron = { schedule: '1 1 * * *', jobTemplate: job };

/** Texts as kube-apiserver words them. */
describe('what is refused', () => {
  it.each([
    [
      'a zone',
      resources.cronjobs,
      { ...cron, timeZone: 'Zap' },
      'spec.timeZone: Invalid value: "Zap": unknown time zone Zap',
    ],
    ['no zone', resources.cronjobs, { ...cron, timeZone: '' }, 'timeZone must be nil or non-empty string'],
    [
      'a first ordinal',
      resources.statefulsets,
      { ...set, ordinals: { start: -1 } },
      'spec.ordinals.start: Invalid value: -1',
    ],
    [
      'what becomes of claims',
      resources.statefulsets,
      { ...set, persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Burn', whenScaled: 'Retain' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Burn": supported values: "Retain", "Delete"',
    ],
  ])('%s', (_what, resource, spec, text) => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    expect(() => cluster.create(resource, { metadata: { name: 'x', namespace: 'demo' }, spec })).toThrow(text);
  });

  const container = (more: object) => ({ containers: [{ name: 'c', image: 'i', ...more }] });
  const env = (secretKeyRef: object) => container({ env: [{ name: 'A', valueFrom: { secretKeyRef } }] });
  it.each<[string, object, string]>([
    [
      'the name of a Secret',
      env({ name: 'Bad!', key: 'k' }),
      'spec.containers[0].env[0].valueFrom.secretKeyRef.name: Invalid value: "Bad!": a lowercase RFC 1123 subdomain',
    ],
    [
      'a key of a Secret',
      env({ name: 's', key: 'Bad!' }),
      'spec.containers[0].env[0].valueFrom.secretKeyRef.key: Invalid value: "Bad!": a valid config key',
    ],
  ])('%s of a pod', (_what, spec, text) => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const pod = { metadata: { name: 'x', namespace: 'demo' }, spec: { ...template.spec, ...spec } };
    expect(() => cluster.create(resources.pods, pod)).toThrow(text);
  });

  it('an Event as an owner', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
    expect(() =>
      cluster.create(resources.configmaps, { metadata: { name: 'x', namespace: 'demo', ownerReferences } }),
    ).toThrow('/v1, Kind=Event is disallowed from being an owner');
  });
});
