import type { JsonObject } from '@/lib/json/json';
import { formatQuantity, parseQuantity, type Quantity } from '@/lib/kube/quantity';
import { objectOf, objectsOf } from '../access';

type Amounts = Map<string, Quantity>;

/**
 * What a pod asks for, or may use, in all: the sum over its containers (restartable init containers among them), or what
 * its init containers need one after the other if that is more, and its overhead (Kubernetes component-helpers PodRequests).
 */
export function podAmounts(spec: JsonObject, key: 'requests' | 'limits'): { [resource: string]: string } {
  const total: Amounts = new Map();
  for (const container of objectsOf(spec, 'containers')) add(total, amountsOf(container, key));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of objectsOf(spec, 'initContainers')) {
    const own = amountsOf(container, key);
    if (container.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(peak, sidecars);
      continue;
    }
    add(own, sidecars);
    raise(peak, own);
  }
  raise(total, peak);
  const overhead = readAmounts(objectOf(spec, 'overhead'));
  if (key === 'requests') add(total, overhead);
  else for (const [name, amount] of overhead) if (total.has(name)) add(total, new Map([[name, amount]]));
  return Object.fromEntries([...total].map(([name, amount]) => [name, formatQuantity(amount)]));
}

function amountsOf(container: JsonObject, key: 'requests' | 'limits'): Amounts {
  return readAmounts(objectOf(objectOf(container, 'resources'), key));
}

function readAmounts(list: JsonObject | undefined): Amounts {
  const result: Amounts = new Map();
  for (const [name, value] of Object.entries(list ?? {})) {
    const amount = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
    if (amount !== undefined) result.set(name, amount);
  }
  return result;
}

function add(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const known = total.get(name);
    total.set(name, known === undefined ? amount : { ...known, nano: known.nano + amount.nano });
  }
}

function raise(total: Amounts, floor: Amounts): void {
  for (const [name, amount] of floor) {
    const known = total.get(name);
    if (known === undefined || known.nano < amount.nano) total.set(name, amount);
  }
}
