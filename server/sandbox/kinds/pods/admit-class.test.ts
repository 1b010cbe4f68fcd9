import { beforeEach, describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../../workloads/core/resources';

const classes = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

describe('the classes of a pod', () => {
  let cluster: TestCluster;
  beforeEach(() => {
    cluster = new TestCluster({ mode: 'no-pods' });
  });

  const pod = (name: string, spec: object) =>
    cluster.create(resources.pods, {
      metadata: { name, namespace: 'demo' },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    });

  it('give it their priority, and are refused when they do not exist', () => {
    cluster.create(classes, { metadata: { name: 'high' }, value: 77, preemptionPolicy: 'Never' });
    expect(pod('a', { priorityClassName: 'high' }).spec).toMatchObject({ priority: 77, preemptionPolicy: 'Never' });
    expect(pod('b', {}).spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect(pod('c', { priorityClassName: 'system-node-critical' }).spec).toMatchObject({ priority: 2_000_001_000 });
    expect(() => pod('d', { priorityClassName: 'none' })).toThrow(
      'pods "d" is forbidden: no PriorityClass with name none was found',
    );
    expect(() => pod('e', { priority: 5 })).toThrow(
      'pods "e" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    );
  });

  it('are the default one for pods that name none, of which there is one', () => {
    cluster.create(classes, { metadata: { name: 'usual' }, value: 5, globalDefault: true });
    expect(pod('a', {}).spec).toMatchObject({ priority: 5, priorityClassName: 'usual' });
    expect(() => cluster.create(classes, { metadata: { name: 'other' }, value: 6, globalDefault: true })).toThrow(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
  });

  it('of an Ingress are the newest default one', () => {
    const networking = (resource: string) => ({ group: 'networking.k8s.io', version: 'v1', resource });
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    for (const name of ['b', 'a']) {
      cluster.create(networking('ingressclasses'), {
        metadata: { name, annotations },
        spec: { controller: 'example.org/c' },
      });
    }
    const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
    const made = cluster.create(networking('ingresses'), { metadata: { name: 'i', namespace: 'demo' }, spec });
    expect(getAt(made.spec, 'ingressClassName')).toBe('a');
  });
});
