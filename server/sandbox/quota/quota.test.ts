import { beforeEach, describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { resources } from '../workloads/core/resources';
import { TestCluster } from '../workloads/test-cluster';

/** Texts of the refusals as kube-apiserver words them (plugin/pkg/admission/resourcequota). */
describe('a ResourceQuota', () => {
  let cluster: TestCluster;
  beforeEach(() => {
    cluster = new TestCluster();
  });

  const limit = async (spec: object) => {
    cluster.create(resources.resourcequotas, { metadata: { name: 'q', namespace: 'demo' }, spec });
    await cluster.settle();
  };
  const configMap = (name: string) => () =>
    cluster.create(resources.configmaps, { metadata: { name, namespace: 'demo' } });
  const pod = (name: string, cpu?: string) => () =>
    cluster.create(resources.pods, {
      metadata: { name, namespace: 'demo' },
      spec: {
        containers: [{ name: 'c', image: 'i', ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }) }],
      },
    });
  const used = () => getAt(cluster.get(resources.resourcequotas, 'q')?.status, 'used');

  it('counts what is there, and refuses what is more, in the same turn too', async () => {
    await cluster.settle();
    await limit({ hard: { configmaps: '3' } });
    expect(used()).toEqual({ configmaps: '1' });
    configMap('a')();
    configMap('b')();
    expect(configMap('c')).toThrow(
      'configmaps "c" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=3, limited: configmaps=3',
    );
    cluster.delete(resources.configmaps, 'a');
    await cluster.settle();
    expect(used()).toEqual({ configmaps: '2' });
    expect(configMap('c')).not.toThrow();
  });

  it('sums the requests of pods, and asks for them', async () => {
    await limit({ hard: { 'requests.cpu': '1', pods: '5' } });
    expect(pod('none')).toThrow('pods "none" is forbidden: failed quota: q: must specify requests.cpu for: c');
    pod('a', '600m')();
    expect(pod('b', '500m')).toThrow(
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
    await cluster.settle();
    expect(used()).toEqual({ 'requests.cpu': '600m', pods: '1' });
  });

  it('counts any kind, and only the pods of its scopes', async () => {
    await limit({ hard: { 'count/deployments.apps': '0', pods: '0' } });
    const deployment = { metadata: { name: 'd', namespace: 'demo' }, spec: deploymentSpec };
    expect(() => cluster.create(resources.deployments, deployment)).toThrow(
      'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    );
    cluster.delete(resources.resourcequotas, 'q');
    await limit({ hard: { pods: '0' }, scopes: ['NotBestEffort'] });
    expect(pod('free')).not.toThrow();
    expect(pod('bound', '1')).toThrow('exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0');
  });

  describe('of what is there already', () => {
    const service = (name: string, spec: object) =>
      cluster.create(resources.services, {
        metadata: { name, namespace: 'demo' },
        spec: { ports: [{ port: 80 }], ...spec },
      });
    const claim = (name: string, storage: string) =>
      cluster.create(resources.persistentvolumeclaims, {
        metadata: { name, namespace: 'demo' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      });
    const grow = (name: string, storage: string) => () =>
      cluster.patch(resources.persistentvolumeclaims, name, { spec: { resources: { requests: { storage } } } });

    it('holds a Service that becomes another type', async () => {
      await limit({ hard: { 'services.loadbalancers': '1', 'services.nodeports': '1' } });
      service('a', { type: 'LoadBalancer' });
      service('b', {});
      expect(() => cluster.patch(resources.services, 'b', { spec: { type: 'LoadBalancer' } })).toThrow(
        'services "b" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=1, used: services.loadbalancers=1,services.nodeports=1, limited: services.loadbalancers=1,services.nodeports=1',
      );
      cluster.patch(resources.services, 'a', { spec: { type: 'NodePort' } });
      await cluster.settle();
      expect(used()).toEqual({ 'services.loadbalancers': '0', 'services.nodeports': '1' });
    });

    it('holds a claim that grows, by what it grows, in the same turn too', async () => {
      await limit({ hard: { 'requests.storage': '10Gi' } });
      claim('a', '4Gi');
      claim('b', '1Gi');
      await cluster.advance(10_000);
      grow('a', '8Gi')();
      expect(grow('b', '3Gi')).toThrow(
        'persistentvolumeclaims "b" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=9Gi, limited: requests.storage=10Gi',
      );
      expect(grow('b', '2Gi')).not.toThrow();
      await cluster.settle();
      expect(used()).toEqual({ 'requests.storage': '10Gi' });
    });

    it('lets through what takes nothing more, when it is full or over', async () => {
      service('a', { type: 'NodePort' });
      await limit({ hard: { 'services.nodeports': '0', services: '0', 'count/configmaps': '0' } });
      const label = { metadata: { labels: { a: 'b' } } };
      expect(() => cluster.patch(resources.services, 'a', label)).not.toThrow();
      expect(() => cluster.patch(resources.configmaps, 'kube-root-ca.crt', label)).not.toThrow();
    });
  });

  it('stops a Deployment at its limit, with the reason in its status', async () => {
    await limit({ hard: { pods: '1' } });
    cluster.create(resources.deployments, {
      metadata: { name: 'd', namespace: 'demo' },
      spec: { ...deploymentSpec, replicas: 2 },
    });
    await cluster.advance(5_000);
    expect(cluster.list(resources.pods)).toHaveLength(1);
    expect(JSON.stringify(cluster.list(resources.replicasets)[0]?.status)).toContain('exceeded quota: q');
  });
});

const deploymentSpec = {
  selector: { matchLabels: { a: 'd' } },
  template: { metadata: { labels: { a: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};
