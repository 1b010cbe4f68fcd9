import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { formatQuantity, parseQuantity } from '@/lib/kube/quantity';
import type { GroupResource } from '@/server/sandbox/http/status';
import { objectOf, objectsOf, textOf } from '../kinds/access';
import { podAmounts } from '../kinds/core/pod-amounts';

/** Amounts by the names that a ResourceQuota uses, in billionths of the unit. */
export type Amounts = ReadonlyMap<string, bigint>;

const COUNTED = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);
const ONE = 1_000_000_000n;
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];

/** What one object takes of a quota (Kubernetes pkg/quota/v1/evaluator/core). */
export function usageOf({ group, resource }: GroupResource, object: KubeObject): Map<string, bigint> {
  const usage = new Map([[group === '' ? `count/${resource}` : `count/${resource}.${group}`, ONE]]);
  if (group !== '' || !COUNTED.has(resource)) return usage;
  const spec = objectOf(object as unknown as JsonObject, 'spec') ?? {};
  if (resource === 'pods') return isOver(object) ? usage : addPod(usage, spec);
  usage.set(resource, ONE);
  if (resource === 'services') addService(usage, spec);
  if (resource === 'persistentvolumeclaims') addClaim(usage, spec);
  return usage;
}

/** A pod that has ended takes nothing but its place in the store. */
export function isOver(pod: KubeObject): boolean {
  const phase = textOf(objectOf(pod as unknown as JsonObject, 'status'), 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function addPod(usage: Map<string, bigint>, spec: JsonObject): Map<string, bigint> {
  usage.set('pods', ONE);
  for (const [name, amount] of Object.entries(podAmounts(spec, 'requests'))) {
    usage.set(`requests.${name}`, nano(amount));
    if (COMPUTE.includes(name)) usage.set(name, nano(amount));
  }
  for (const [name, amount] of Object.entries(podAmounts(spec, 'limits'))) {
    if (COMPUTE.includes(name)) usage.set(`limits.${name}`, nano(amount));
  }
  return usage;
}

function addService(usage: Map<string, bigint>, spec: JsonObject): void {
  const ports = BigInt(objectsOf(spec, 'ports').length);
  if (spec.type === 'NodePort') usage.set('services.nodeports', ports * ONE);
  if (spec.type !== 'LoadBalancer') return;
  usage.set('services.nodeports', spec.allocateLoadBalancerNodePorts === false ? 0n : ports * ONE);
  usage.set('services.loadbalancers', ONE);
}

function addClaim(usage: Map<string, bigint>, spec: JsonObject): void {
  const storage = nano(objectOf(objectOf(spec, 'resources'), 'requests')?.storage);
  usage.set('requests.storage', storage);
  const name = textOf(spec, 'storageClassName');
  if (name === '') return;
  usage.set(`${name}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE);
  usage.set(`${name}.storageclass.storage.k8s.io/requests.storage`, storage);
}

/** A quantity's text in billionths; 0 for what is none. */
export function nano(value: unknown): bigint {
  return typeof value === 'string' || typeof value === 'number' ? (parseQuantity(value)?.nano ?? 0n) : 0n;
}

/** An amount in the form of another quantity, as the API writes sums. */
export function formatLike(amount: bigint, like: unknown): string {
  const form = typeof like === 'string' || typeof like === 'number' ? parseQuantity(like) : undefined;
  return formatQuantity({ nano: amount, format: form?.format ?? 'DecimalSI' });
}
