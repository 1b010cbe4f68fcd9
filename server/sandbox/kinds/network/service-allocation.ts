import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

/**
 * The addresses of Services and their node ports (kube-apiserver's defaults). Addresses are given from 10.0.0.0/24, and
 * when that is full from the nets behind it, so that a sandbox may have more than 253 Services.
 */
export const serviceNetwork = { prefix: '10.0.', nets: 256, first: 1, last: 254 } as const;
export const nodePortRange = { first: 30_000, last: 32_767 } as const;

/** What other Services use. */
export interface UsedByServices {
  readonly addresses: ReadonlySet<string>;
  readonly nodePorts: ReadonlySet<number>;
}

/** Reads what the Services of the sandbox use; the address of `kubernetes` (the first one) counts as used. */
export function usedByServices(context: StrategyContext, except: JsonObject): UsedByServices {
  const addresses = new Set<string>([`${serviceNetwork.prefix}0.1`]);
  const nodePorts = new Set<number>();
  const [namespace, name] = placeOf(except);
  for (const service of context.list?.({ group: '', resource: 'services' }) ?? []) {
    if (service.metadata.namespace === namespace && service.metadata.name === name) continue;
    const spec = specOf(service);
    for (const address of textsOf(spec, 'clusterIPs')) addresses.add(address);
    for (const port of objectsOf(spec, 'ports')) if (typeof port.nodePort === 'number') nodePorts.add(port.nodePort);
    if (typeof spec?.healthCheckNodePort === 'number') nodePorts.add(spec.healthCheckNodePort);
  }
  return { addresses, nodePorts };
}

/** Not by its uid: a client may have sent another one, which is judged elsewhere. */
function placeOf(service: JsonObject): [namespace: string, name: string] {
  const metadata = objectOf(service, 'metadata');
  return [textOf(metadata, 'namespace'), textOf(metadata, 'name')];
}

function specOf(service: KubeObject): JsonObject | undefined {
  return objectOf(service as unknown as JsonObject, 'spec');
}

/** The lowest free address, or undefined when all are taken. */
export function freeAddress({ addresses }: UsedByServices): string | undefined {
  for (let net = 0; net < serviceNetwork.nets; net++) {
    for (let host = serviceNetwork.first; host <= serviceNetwork.last; host++) {
      const address = `${serviceNetwork.prefix}${net}.${host}`;
      if (!addresses.has(address)) return address;
    }
  }
  return undefined;
}

/** The lowest free node port that is not in `taken`, or undefined when all are. */
export function freeNodePort({ nodePorts }: UsedByServices, taken: ReadonlySet<number>): number | undefined {
  for (let port: number = nodePortRange.first; port <= nodePortRange.last; port++) {
    if (!nodePorts.has(port) && !taken.has(port)) return port;
  }
  return undefined;
}

/** True for an address of the range of Services. */
export function isServiceAddress(address: string): boolean {
  return address.startsWith(serviceNetwork.prefix) && !address.endsWith('.0') && !address.endsWith('.255');
}
