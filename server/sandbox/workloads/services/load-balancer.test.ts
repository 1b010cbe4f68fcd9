import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { resources } from '../core/resources';
import { TestCluster } from '../test-cluster';

function balancer(cluster: TestCluster, name: string, spec: { [key: string]: JsonValue } = {}) {
  return cluster.create(resources.services, {
    metadata: { name, namespace: 'demo' },
    spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ port: 80 }], ...spec },
  });
}

function addressesOf(cluster: TestCluster, name: string): unknown {
  return cluster.get(resources.services, name)?.status;
}

const at = (ip: string) => ({ loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } });

describe('a Service of type LoadBalancer', () => {
  it('gets an address of its own outside the cluster, a finalizer, and events that say so', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a');
    balancer(cluster, 'b');
    await cluster.settle();
    expect(addressesOf(cluster, 'a')).toEqual(at('192.0.2.1'));
    expect(addressesOf(cluster, 'b')).toEqual(at('192.0.2.2'));
    const { finalizers } = cluster.get(resources.services, 'a')?.metadata ?? {};
    expect(finalizers).toEqual(['service.kubernetes.io/load-balancer-cleanup']);
    expect(cluster.reasons('a')).toEqual(['EnsuringLoadBalancer', 'EnsuredLoadBalancer']);
  });

  it('keeps its address over edits and a restart, and is not written again', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a');
    await cluster.settle();
    cluster.patch(resources.services, 'a', { spec: { ports: [{ port: 81 }] } });
    await cluster.settle();
    const before = cluster.get(resources.services, 'a');
    cluster.restart();
    await cluster.settle();
    expect(cluster.get(resources.services, 'a')).toEqual(before);
    expect(before?.status).toEqual(at('192.0.2.1'));
  });

  it('gives its address back when it becomes another type, and when it is deleted', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a');
    balancer(cluster, 'b');
    await cluster.settle();
    cluster.patch(resources.services, 'a', { spec: { type: 'ClusterIP' } });
    expect(addressesOf(cluster, 'a')).toEqual({ loadBalancer: {} });
    await cluster.settle();
    expect(cluster.get(resources.services, 'a')?.metadata.finalizers).toBeUndefined();
    cluster.delete(resources.services, 'b');
    await cluster.settle();
    expect(cluster.get(resources.services, 'b')).toBeUndefined();
    balancer(cluster, 'c');
    await cluster.settle();
    expect(addressesOf(cluster, 'c')).toEqual(at('192.0.2.1'));
    expect(cluster.reasons('a')).toContain('DeletedLoadBalancer');
  });

  it('gets the address that it asks for, and is told when that is taken', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a', { loadBalancerIP: '203.0.113.7' });
    await cluster.settle();
    balancer(cluster, 'b', { loadBalancerIP: '203.0.113.7' });
    await cluster.settle();
    expect(addressesOf(cluster, 'a')).toEqual(at('203.0.113.7'));
    expect(addressesOf(cluster, 'b')).toEqual({ loadBalancer: {} });
    expect(cluster.reasons('b')).toContain('SyncLoadBalancerFailed');
    cluster.delete(resources.services, 'a');
    await cluster.advance(60_000);
    expect(addressesOf(cluster, 'b')).toEqual(at('203.0.113.7'));
  });

  it('is left to others when it names a class, or when no cloud is there', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a', { loadBalancerClass: 'example.com/other' });
    await cluster.settle();
    expect(addressesOf(cluster, 'a')).toEqual({ loadBalancer: {} });
    const bare = new TestCluster({ mode: 'no-pods' });
    balancer(bare, 'a');
    await bare.settle();
    expect(addressesOf(bare, 'a')).toEqual({ loadBalancer: {} });
  });
});
