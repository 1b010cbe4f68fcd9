import { type JsonObject, objectAt } from '@/lib/json/json';
import { objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

/**
 * The addresses of Services and their node ports (kube-apiserver's defaults). Addresses are given from 10.0.0.0/24, and
 * when that is full from the nets behind it, so that a sandbox may have more than 253 Services.
 */
const network = { prefix: '10.0.', nets: 256, first: 1, last: 254 } as const;
export const nodePortRange = { first: 30_000, last: 32_767 } as const;

/** What other Services use. */
export interface UsedByServices {
  readonly addresses: ReadonlySet<string>;
  readonly nodePorts: ReadonlySet<number>;
}

/** Reads what the Services of the sandbox use; the address of `kubernetes` (the first one) counts as used. */
export function usedByServices(context: StrategyContext, except: JsonObject): UsedByServices {
  const addresses = new Set<string>([`${network.prefix}0.1`]);
  const nodePorts = new Set<number>();
  // Not by its uid: a client may have sent another one, which is judged elsewhere.
  const own = objectOf(except, 'metadata');
  for (const service of context.list?.({ group: '', resource: 'services' }) ?? []) {
    const { namespace, name } = service.metadata;
    if (namespace === textOf(own, 'namespace') && name === textOf(own, 'name')) continue;
    const spec = objectAt(service, 'spec');
    for (const address of textsOf(spec, 'clusterIPs')) addresses.add(address);
    for (const port of objectsOf(spec, 'ports')) if (typeof port.nodePort === 'number') nodePorts.add(port.nodePort);
    if (typeof spec.healthCheckNodePort === 'number') nodePorts.add(spec.healthCheckNodePort);
  }
  return { addresses, nodePorts };
}

/** The lowest free address, or undefined when all are taken. */
export function freeAddress({ addresses }: UsedByServices): string | undefined {
  for (let net = 0; net < network.nets; net++) {
    for (let host = network.first; host <= network.last; host++) {
      const address = `${network.prefix}${net}.${host}`;
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
  return address.startsWith(network.prefix) && !address.endsWith('.0') && !address.endsWith('.255');
}

/** True for types that are reached from outside the cluster. */
export function isExternal({ type }: JsonObject): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}
