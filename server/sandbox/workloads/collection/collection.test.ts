import { describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { TestCluster, template } from '../../testing/test-cluster';
import { resources } from '../core/resources';

function map(cluster: TestCluster, name: string, owners: readonly KubeObject[] = [], more: object = {}): KubeObject {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    blockOwnerDeletion: true,
  }));
  return cluster.create(resources.configmaps, { metadata: { name, namespace: 'demo', ownerReferences, ...more } });
}

function names(cluster: TestCluster): string[] {
  return cluster
    .list(resources.configmaps)
    .map((object) => object.metadata.name ?? '')
    .filter((name) => name !== 'kube-root-ca.crt');
}

describe('garbage collection', () => {
  it('deletes a chain of dependents after its owner', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const a = map(cluster, 'a');
    map(cluster, 'c', [map(cluster, 'b', [a])]);
    await cluster.settle();
    expect(names(cluster)).toEqual(['a', 'b', 'c']);
    cluster.delete(resources.configmaps, 'a');
    await cluster.settle();
    expect(names(cluster)).toEqual([]);
  });

  it('keeps a dependent while one owner exists, without the reference to the other', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const [a, b] = [map(cluster, 'a'), map(cluster, 'b')];
    map(cluster, 'c', [a, b]);
    await cluster.settle();
    cluster.delete(resources.configmaps, 'a');
    await cluster.settle();
    expect(cluster.get(resources.configmaps, 'c')?.metadata.ownerReferences?.map((owner) => owner.name)).toEqual(['b']);
  });

  it('frees dependents when asked to orphan them', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    map(cluster, 'b', [map(cluster, 'a')]);
    await cluster.settle();
    cluster.delete(resources.configmaps, 'a', { propagation: 'Orphan' });
    await cluster.settle();
    expect(names(cluster)).toEqual(['b']);
    expect(cluster.get(resources.configmaps, 'b')?.metadata.ownerReferences).toBeUndefined();
  });

  it('deletes the owner last in the foreground, and waits for finalizers of dependents', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    map(cluster, 'b', [map(cluster, 'a')], { finalizers: ['example.com/hold'] });
    await cluster.settle();
    cluster.delete(resources.configmaps, 'a', { propagation: 'Foreground' });
    await cluster.settle();
    expect(names(cluster)).toEqual(['a', 'b']);
    cluster.patch(resources.configmaps, 'b', { metadata: { finalizers: null } });
    await cluster.settle();
    expect(names(cluster)).toEqual([]);
  });

  it('ends cycles of owners', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const a = map(cluster, 'a');
    const b = map(cluster, 'b', [a]);
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'b',
      uid: b.metadata.uid ?? '',
      blockOwnerDeletion: true,
    };
    cluster.patch(resources.configmaps, 'a', { metadata: { ownerReferences: [reference] } });
    await cluster.settle();
    cluster.delete(resources.configmaps, 'a', { propagation: 'Foreground' });
    await cluster.settle();
    expect(names(cluster)).toEqual([]);
  });

  it('deletes what names an owner that does not exist, or another of its name', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const a = map(cluster, 'a');
    map(cluster, 'b', [{ ...a, metadata: { ...a.metadata, uid: '11111111-2222-3333-4444-555555555555' } }]);
    await cluster.settle();
    expect(names(cluster)).toEqual(['a']);
  });
});

describe('a deleted namespace', () => {
  it('is emptied and goes, pods and workloads included', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    map(cluster, 'a');
    const selector = { matchLabels: { app: 'web' } };
    cluster.create(resources.deployments, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 2, selector, template: template('web') },
    });
    await cluster.advance(5000);
    cluster.api.delete({ ...resources.namespaces, name: 'demo' });
    await cluster.advance(200);
    expect(stringAt(cluster.api.get({ ...resources.namespaces, name: 'demo' }), 'status', 'phase')).toBe('Terminating');
    await cluster.advance(5000);
    expect(cluster.api.get({ ...resources.namespaces, name: 'demo' })).toBeUndefined();
    expect(cluster.list(resources.pods)).toEqual([]);
  });

  it('says what holds it', async () => {
    const cluster = new TestCluster();
    map(cluster, 'held', [], { finalizers: ['example.com/hold'] });
    await cluster.settle();
    cluster.api.delete({ ...resources.namespaces, name: 'demo' });
    await cluster.settle();
    const conditions = arrayAt(cluster.api.get({ ...resources.namespaces, name: 'demo' }), 'status', 'conditions');
    expect(conditions.map((each) => stringAt(each, 'message'))).toContain(
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    );
    cluster.patch(resources.configmaps, 'held', { metadata: { finalizers: null } });
    await cluster.settle();
    expect(cluster.api.get({ ...resources.namespaces, name: 'demo' })).toBeUndefined();
  });
});

describe('every namespace', () => {
  it('has its ServiceAccount and the certificate of the authority, also after they were deleted', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    await cluster.settle();
    cluster.delete(resources.serviceaccounts, 'default');
    cluster.delete(resources.configmaps, 'kube-root-ca.crt');
    await cluster.settle();
    expect(cluster.get(resources.serviceaccounts, 'default')).toBeDefined();
    expect(cluster.get(resources.configmaps, 'kube-root-ca.crt')?.data).toEqual({ 'ca.crt': 'certificate' });
  });
});
