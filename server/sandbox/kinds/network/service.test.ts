import { describe, expect, it } from 'vitest';
import { type JsonValue, objectAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../../workloads/core/resources';

type Spec = { [key: string]: JsonValue };

class Services {
  private readonly cluster = new TestCluster({ mode: 'no-pods' });

  make(name: string, spec: Spec): Spec {
    return objectAt(this.cluster.create(resources.services, { metadata: { name, namespace: 'demo' }, spec }), 'spec');
  }

  patch(name: string, spec: Spec): Spec {
    this.cluster.patch(resources.services, name, { spec });
    return objectAt(this.cluster.get(resources.services, name), 'spec');
  }

  delete(name: string): void {
    this.cluster.delete(resources.services, name);
  }
}

const port = (more: Spec = {}) => ({ name: 'a', port: 80, ...more });

describe('node ports', () => {
  it('stay with the name of their port, whatever its number, and are given back with type and Service', () => {
    const services = new Services();
    services.make('a', { type: 'NodePort', ports: [port(), port({ name: 'b', port: 81 })] });
    expect(services.patch('a', { ports: [port({ port: 90 })] }).ports).toMatchObject([{ port: 90, nodePort: 30_000 }]);
    expect(services.make('b', { type: 'NodePort', ports: [port()] }).ports).toMatchObject([{ nodePort: 30_001 }]);
    services.delete('b');
    const plain = services.patch('a', { type: 'ClusterIP' });
    expect(plain.ports).toEqual([{ name: 'a', protocol: 'TCP', port: 90, targetPort: 90 }]);
    expect(plain).not.toHaveProperty('externalTrafficPolicy');
    expect(services.make('c', { type: 'NodePort', ports: [port()] }).ports).toMatchObject([{ nodePort: 30_000 }]);
  });

  it('are the same for one port of two protocols', () => {
    const ports = [port(), port({ name: 'u', protocol: 'UDP' })];
    const spec = new Services().make('dns', { type: 'LoadBalancer', ports });
    expect(spec.ports).toMatchObject([{ nodePort: 30_000 }, { nodePort: 30_000, protocol: 'UDP' }]);
  });

  it('are not given to a balancer that wants none, but the one of its health checks is', () => {
    const services = new Services();
    const spec = services.make('a', {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      externalTrafficPolicy: 'Local',
      ports: [port()],
    });
    expect(spec.healthCheckNodePort).toBe(30_000);
    expect(objectAt(spec, 'ports', 0)).not.toHaveProperty('nodePort');
    const changed = services.patch('a', { externalTrafficPolicy: 'Cluster' });
    expect(changed).not.toHaveProperty('healthCheckNodePort');
    const plain = services.patch('a', { type: 'ClusterIP' });
    expect(plain).not.toHaveProperty('allocateLoadBalancerNodePorts');
  });

  it('of two Services never clash', () => {
    const services = new Services();
    services.make('a', { type: 'NodePort', ports: [port({ nodePort: 30_080 })] });
    expect(() => services.make('b', { type: 'NodePort', ports: [port({ nodePort: 30_080 })] })).toThrow(
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    );
  });
});

describe('addresses', () => {
  it('come and go with the type ExternalName', () => {
    const services = new Services();
    services.make('a', { ports: [port()] });
    const external = services.patch('a', { type: 'ExternalName', externalName: 'example.org' });
    expect(external).not.toHaveProperty('clusterIP');
    expect(services.make('b', { ports: [port()] }).clusterIP).toBe('10.0.0.2');
    expect(services.patch('a', { type: 'ClusterIP', externalName: null }).clusterIP).toBe('10.0.0.3');
  });

  it('of a headless Service are None', () => {
    expect(new Services().make('a', { clusterIP: 'None' })).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'] });
  });

  it('survive an edit that names none', () => {
    const services = new Services();
    services.make('a', { ports: [port()] });
    expect(services.patch('a', { clusterIP: '', clusterIPs: null }).clusterIP).toBe('10.0.0.2');
    expect(() => services.patch('a', { clusterIP: 'None' })).toThrow('may not change once set');
  });
});
