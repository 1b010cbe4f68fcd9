import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

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
  it('gets an address of its own outside the cluster, and an event that says so', async () => {
    const cluster = new TestCluster();
    balancer(cluster, 'a');
    balancer(cluster, 'b');
    await cluster.settle();
    expect(addressesOf(cluster, 'a')).toEqual(at('192.0.2.1'));
    expect(addressesOf(cluster, 'b')).toEqual(at('192.0.2.2'));
    expect(cluster.reasons('a')).toEqual(['EnsuredLoadBalancer']);
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
});
