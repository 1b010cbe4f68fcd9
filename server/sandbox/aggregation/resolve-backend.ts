import { arrayAt, getAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Registry } from '../registry/registry';
import { objectKey } from '../store/collection';
import { serviceOf } from './local-services';

/** One ready endpoint of the Service of an APIService, and the name that its certificate must have. */
export interface ApiBackend {
  readonly namespace: string;
  readonly service: string;
  readonly serverName: string;
  readonly address: string;
  readonly port: number;
  /** The pod behind the address; undefined where a person wrote the EndpointSlice. */
  readonly pod: string | undefined;
}

/** Why an APIService is not available: a reason of kube-aggregator and its message. */
export interface Unavailable {
  readonly reason: string;
  readonly message: string;
}

export type Resolution = { readonly backend: ApiBackend } | { readonly unavailable: Unavailable };

/**
 * Finds who answers for an APIService. There is no cluster network, so that the Service's own address leads nowhere: the
 * first ready endpoint is taken (kube-aggregator's --enable-aggregator-routing). Reasons and messages are those of
 * kube-aggregator's available_controller.
 *
 * @param apiService one with `spec.service`
 */
export function resolveBackend({ store }: Pick<Registry, 'store'>, apiService: KubeObject): Resolution {
  const reference = serviceOf(apiService);
  const namespace = stringAt(reference, 'namespace') ?? '';
  const name = stringAt(reference, 'name') ?? '';
  const port = numberAt(reference, 'port') ?? 443;
  const service = store.get('services', objectKey(namespace, name))?.object;
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  if (service === undefined) return unavailable('ServiceNotFound', `${where} is not present`);
  const servicePort = arrayAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === port);
  if (servicePort === undefined) return unavailable('ServicePortError', `${where} is not listening on port ${port}`);
  const slices = [...store.collection('endpointslices.discovery.k8s.io').entries(namespace)]
    .map(([, stored]) => stored.object)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`);
  const portName = stringAt(servicePort, 'name') ?? '';
  for (const slice of slices) {
    const found = endpointOf(slice, portName);
    if (found === undefined) continue;
    return { backend: { namespace, service: name, serverName: `${name}.${namespace}.svc`, ...found } };
  }
  const missing = `endpoints for ${where} have no addresses with port name ${JSON.stringify(portName)}`;
  return unavailable('MissingEndpoints', missing);
}

function unavailable(reason: string, message: string): Resolution {
  return { unavailable: { reason, message } };
}

function endpointOf(slice: KubeObject, portName: string): Pick<ApiBackend, 'address' | 'port' | 'pod'> | undefined {
  const named = arrayAt(slice, 'ports').find((each) => (stringAt(each, 'name') ?? '') === portName);
  const port = numberAt(named, 'port');
  if (port === undefined) return undefined;
  for (const endpoint of arrayAt(slice, 'endpoints')) {
    const address = stringAt(endpoint, 'addresses', 0);
    // An endpoint that does not say is ready (discovery/v1 EndpointConditions).
    if (address === undefined || getAt(endpoint, 'conditions', 'ready') === false) continue;
    const isPod = stringAt(endpoint, 'targetRef', 'kind') === 'Pod';
    return { address, port, pod: isPod ? stringAt(endpoint, 'targetRef', 'name') : undefined };
  }
  return undefined;
}
