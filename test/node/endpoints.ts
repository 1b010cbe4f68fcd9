import { arrayAt, getAt, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';

/** An address behind a Service that answers now (or is published without being ready), and its name if it has one. */
export interface Endpoint {
  readonly address: string;
  readonly hostname: string | undefined;
}

/** The Services and EndpointSlices of a cluster. */
export interface ServiceObjects {
  readonly services: readonly KubeObject[];
  readonly slices: readonly KubeObject[];
}

/** The endpoints of a Service that a client is sent to. A slice says itself whether an address counts as ready. */
export function endpointsOf(service: KubeObject, slices: readonly KubeObject[]): Endpoint[] {
  return slicesOf(service, slices).flatMap((slice) =>
    arrayAt(slice, 'endpoints')
      .filter((endpoint) => getAt(endpoint, 'conditions', 'ready') !== false)
      .flatMap((endpoint) =>
        arrayAt(endpoint, 'addresses').map((address) => ({
          address: String(address),
          hostname: stringAt(endpoint, 'hostname'),
        })),
      ),
  );
}

/** Where connections to one port of a Service go: `address:port` of each endpoint. */
export function targetsOf(
  service: KubeObject,
  portName: string,
  slices: readonly KubeObject[],
): { address: string; port: number }[] {
  return slicesOf(service, slices).flatMap((slice) => {
    const port = arrayAt(slice, 'ports').find((each) => (stringAt(each, 'name') ?? '') === portName);
    const number = numberAt(port, 'port');
    if (number === undefined) return [];
    return endpointsOf(service, [slice]).map(({ address }) => ({ address, port: number }));
  });
}

function slicesOf(service: KubeObject, slices: readonly KubeObject[]): KubeObject[] {
  return slices.filter(
    (slice) =>
      namespaceOf(slice) === namespaceOf(service) &&
      slice.metadata.labels?.['kubernetes.io/service-name'] === nameOf(service) &&
      stringAt(slice, 'addressType') !== 'IPv6',
  );
}
