import { describe, expect, it } from 'vitest';
import { resources } from '../workloads/core/resources';
import { TestCluster } from '../workloads/test-cluster';

const networking = (resource: string) => ({ group: 'networking.k8s.io', version: 'v1', resource });
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

  it('a controller of an IngressClass without a domain', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const create = (controller: string) => () =>
      cluster.create(networking('ingressclasses'), { metadata: { name: 'x' }, spec: { controller } });
    expect(create('mine')).toThrow('must be a domain-prefixed path (such as "acme.io/foo")');
    expect(create('example.org/mine')).not.toThrow();
  });

  it('an Event as an owner', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
    expect(() =>
      cluster.create(resources.configmaps, { metadata: { name: 'x', namespace: 'demo', ownerReferences } }),
    ).toThrow('/v1, Kind=Event is disallowed from being an owner');
  });
});
