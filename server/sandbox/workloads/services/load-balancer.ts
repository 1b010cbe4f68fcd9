import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { isTerminating } from '../pods/pod-state';

/** Nets for documentation (RFC 5737): no host has these addresses, so no host is reached by mistake. */
const NETS = ['192.0.2', '198.51.100', '203.0.113'];

/**
 * Gives Services of type LoadBalancer an address, as a cloud does. The API server clears the status when the type changes.
 * Services with a `loadBalancerClass` are left to whoever serves that class.
 */
export function loadBalancerController(context: WorkloadContext): WorkloadController {
  return {
    name: 'load-balancer',
    *keysFor({ resource, object, type }) {
      if (resource.resource === 'services' && resource.group === '' && type !== 'DELETED') yield queueKey(object);
    },
    reconcile: reconcileEach(context, resources.services, provide),
  };
}

function needsAddress(service: KubeObject): boolean {
  const { type, loadBalancerClass } = objectAt(service, 'spec');
  if (type !== 'LoadBalancer' || loadBalancerClass !== undefined || isTerminating(service)) return false;
  return arrayAt(service, 'status', 'loadBalancer', 'ingress').length === 0;
}

function provide(context: WorkloadContext, service: KubeObject): undefined {
  const ip = needsAddress(service) ? freeAddress(context) : undefined;
  if (ip === undefined) return;
  const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] };
  context.updateStatus(resources.services, service, { ...objectAt(service, 'status'), loadBalancer });
  context.events.normal('service-controller', service, 'EnsuredLoadBalancer', 'Ensured load balancer');
}

function freeAddress(context: WorkloadContext): string | undefined {
  const used = new Set(
    context
      .list(resources.services)
      .flatMap((service) => arrayAt(service, 'status', 'loadBalancer', 'ingress').map((each) => stringAt(each, 'ip'))),
  );
  for (const net of NETS) {
    for (let host = 1; host < 255; host++) if (!used.has(`${net}.${host}`)) return `${net}.${host}`;
  }
  return undefined;
}
