import { stringAt } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { endpointsOf, type ServiceObjects } from './endpoints';

export const CLUSTER_DOMAIN = 'cluster.local';

/**
 * The addresses of a name, as Kubernetes' DNS specification 1.1 says: `service.namespace.svc.cluster.local` is the Service's
 * address, or all endpoints of a headless one; `hostname.service.…` one endpoint. Shorter names come complete: /etc/resolv.conf
 * of a pod has the search list.
 *
 * @returns undefined for a name that does not exist
 */
export function addressesOf(name: string, objects: ServiceObjects): string[] | undefined {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.splice(-3).join('.') !== `svc.${CLUSTER_DOMAIN}`) return undefined;
  const [namespace, serviceName, hostname, more] = labels.reverse();
  if (serviceName === undefined || more !== undefined) return undefined;
  const service = objects.services.find((each) => nameOf(each) === serviceName && namespaceOf(each) === namespace);
  if (service === undefined) return undefined;
  const address = stringAt(service, 'spec', 'clusterIP') ?? '';
  const isHeadless = address === 'None' || address === '';
  if (hostname === undefined && !isHeadless) return [address];
  const endpoints = endpointsOf(service, objects.slices);
  const found = hostname === undefined ? endpoints : endpoints.filter((each) => each.hostname === hostname);
  const addresses = [...new Set(found.map((each) => each.address))];
  return addresses.length > 0 ? addresses : undefined;
}

/** The search list of a pod (dnsPolicy ClusterFirst). */
export function resolvConf(server: string, namespace: string): string {
  const search = [`${namespace}.svc.${CLUSTER_DOMAIN}`, `svc.${CLUSTER_DOMAIN}`, CLUSTER_DOMAIN].join(' ');
  return `nameserver ${server}\nsearch ${search}\noptions ndots:5\n`;
}
