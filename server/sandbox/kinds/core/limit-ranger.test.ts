import { beforeEach, describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { resources } from '../../workloads/core/resources';
import { TestCluster } from '../../workloads/test-cluster';

const core = (resource: string) => ({ group: '', version: 'v1', resource });

/** Texts as kube-apiserver words them (plugin/pkg/admission/limitranger). */
describe('a LimitRange', () => {
  let cluster: TestCluster;
  beforeEach(() => {
    cluster = new TestCluster({ mode: 'no-pods' });
  });

  const limit = (...limits: object[]) =>
    cluster.create(core('limitranges'), { metadata: { name: 'l', namespace: 'demo' }, spec: { limits } });
  const pod = (name: string, amounts: object = {}, more: object = {}) =>
    cluster.create(resources.pods, {
      metadata: { name, namespace: 'demo' },
      spec: { containers: [{ name: 'c', image: 'i', resources: amounts }], ...more },
    });

  it('gives containers what they do not say, and says so', () => {
    limit({ type: 'Container', default: { cpu: '500m', memory: '1Gi' }, defaultRequest: { cpu: '100m' } });
    const made = pod('p', { limits: { memory: '2Gi' } });
    expect(getAt(made.spec, 'containers', 0, 'resources')).toEqual({
      limits: { memory: '2Gi', cpu: '500m' },
      requests: { memory: '2Gi', cpu: '100m' },
    });
    expect(made.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
    });
    expect(getAt(made.status, 'qosClass')).toBe('Burstable');
  });

  it('takes the default request from the default before the minimum', () => {
    const made = limit({ type: 'Container', default: { cpu: '2' }, min: { cpu: '1' } });
    expect(getAt(made.spec, 'limits', 0, 'defaultRequest')).toEqual({ cpu: '2' });
  });

  it('refuses what is beyond it', () => {
    limit(
      { type: 'Container', max: { cpu: '1' }, min: { cpu: '100m' } },
      { type: 'Pod', max: { memory: '1Gi' }, maxLimitRequestRatio: { cpu: '2' } },
    );
    const memory = { requests: { memory: '1Gi' }, limits: { memory: '1Gi' } };
    const cpu = (request: string, most: string) => ({
      requests: { ...memory.requests, cpu: request },
      limits: { ...memory.limits, cpu: most },
    });
    expect(() => pod('a', cpu('1', '2'))).toThrow(
      'pods "a" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    );
    expect(() => pod('b', cpu('50m', '100m'))).toThrow(
      'pods "b" is forbidden: minimum cpu usage per Container is 100m, but request is 50m',
    );
    expect(() => pod('c', cpu('200m', '1'))).toThrow(
      'cpu max limit to request ratio per Pod is 2, but provided ratio is 5.000000',
    );
    expect(() => pod('d')).toThrow('maximum memory usage per Pod is 1Gi.  No limit is specified');
    expect(() => pod('e', cpu('1', '1'))).not.toThrow();
  });

  it('bounds the storage of claims', () => {
    limit({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
    const claim = (name: string, storage: string) => () =>
      cluster.create(resources.persistentvolumeclaims, {
        metadata: { name, namespace: 'demo' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      });
    expect(claim('small', '1Mi')).toThrow(
      'persistentvolumeclaims "small" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    );
    expect(claim('large', '3Gi')).toThrow('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi');
    expect(claim('right', '2Gi')).not.toThrow();
  });
});
