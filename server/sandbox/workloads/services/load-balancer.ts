import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { isTerminating } from '../pods/pod-state';

const COMPONENT = 'service-controller';
const FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';
const RETRY_MS = 10_000;

/** Nets for documentation (RFC 5737): nobody has these addresses, so nobody is reached by mistake. */
const NETS = ['192.0.2', '198.51.100', '203.0.113'];

/**
 * The cloud of the sandbox: Services of type LoadBalancer get an address (Kubernetes cloud-provider controllers/service).
 * An address is used as long as it stands in the status of a Service of that type: the API server clears the status with
 * the type, the finalizer keeps a deleted Service until its balancer is gone. Services with a class are somebody else's.
 */
export function loadBalancerController(context: WorkloadContext): Controller {
  return {
    name: 'load-balancer',
    *rings({ resource, object, type }) {
      if (resource.resource !== 'services' || resource.group !== '' || type === 'DELETED') return;
      if (wantsBalancer(object) || finalizersOf(object).includes(FINALIZER)) yield queueKey(object);
    },
    reconcile(namespace, name) {
      const service = context.get(resources.services, namespace, name);
      if (service === undefined) return undefined;
      if (wantsBalancer(service)) return provide(context, service);
      if (finalizersOf(service).includes(FINALIZER)) remove(context, service);
      return undefined;
    },
  };
}

function wantsBalancer(service: KubeObject): boolean {
  const { type, loadBalancerClass } = objectAt(service, 'spec');
  return type === 'LoadBalancer' && loadBalancerClass === undefined && !isTerminating(service);
}

function provide(context: WorkloadContext, service: KubeObject): number | undefined {
  const asked = stringAt(service, 'spec', 'loadBalancerIP') ?? '';
  const ingress = arrayAt(service, 'status', 'loadBalancer', 'ingress');
  const hasFinalizer = finalizersOf(service).includes(FINALIZER);
  const served = ingress.length > 0 && (asked === '' || ingress.some((each) => stringAt(each, 'ip') === asked));
  if (served && hasFinalizer) return undefined;
  tell(context, service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
  const marked = hasFinalizer
    ? service
    : context.update(resources.services, service, (copy) => {
        copy.metadata.finalizers = [...finalizersOf(copy), FINALIZER];
      });
  if (!served) {
    const used = usedAddresses(context, service);
    const ip = asked === '' ? freeAddress(used) : used.has(asked) ? undefined : asked;
    if (ip === undefined) return fail(context, service, asked);
    context.updateStatus(resources.services, marked, {
      ...objectAt(marked, 'status'),
      loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] },
    });
  }
  tell(context, service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  return undefined;
}

function fail(context: WorkloadContext, service: KubeObject, asked: string): number {
  const why = asked === '' ? 'no address is free' : `address ${asked} is in use by another service`;
  const message = `Error syncing load balancer: failed to ensure load balancer: ${why}`;
  context.events.record(service, { type: 'Warning', reason: 'SyncLoadBalancerFailed', message, component: COMPONENT });
  return RETRY_MS;
}

function remove(context: WorkloadContext, service: KubeObject): void {
  tell(context, service, 'DeletingLoadBalancer', 'Deleting load balancer');
  context.update(resources.services, service, (copy) => {
    const rest = finalizersOf(copy).filter((finalizer) => finalizer !== FINALIZER);
    if (rest.length > 0) copy.metadata.finalizers = rest;
    else delete copy.metadata.finalizers;
  });
  tell(context, service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

function usedAddresses(context: WorkloadContext, except: KubeObject): Set<string> {
  const used = new Set<string>();
  for (const service of context.list(resources.services)) {
    if (service.metadata.uid === except.metadata.uid) continue;
    for (const each of arrayAt(service, 'status', 'loadBalancer', 'ingress')) used.add(stringAt(each, 'ip') ?? '');
  }
  return used;
}

function freeAddress(used: ReadonlySet<string>): string | undefined {
  for (const net of NETS) {
    for (let host = 1; host < 255; host++) if (!used.has(`${net}.${host}`)) return `${net}.${host}`;
  }
  return undefined;
}

function tell(context: WorkloadContext, service: KubeObject, reason: string, message: string): void {
  context.events.record(service, { type: 'Normal', reason, message, component: COMPONENT });
}
