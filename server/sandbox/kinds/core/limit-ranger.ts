import type { JsonObject } from '@/lib/json/json';
import { formatQuantity, parseQuantity } from '@/lib/kube/quantity';
import { forbidden } from '../../http/status';
import { ensureObject, objectOf, objectsOf, textOf } from '../access';
import type { StrategyContext } from '../strategy';
import { podAmounts } from './pod-amounts';

/** The admission plugin LimitRanger (Kubernetes plugin/pkg/admission/limitranger). */

const LIMIT_RANGES = { group: '', resource: 'limitranges' };
const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Fills the requests and limits that the namespace's LimitRanges give to containers without, and says so in an annotation.
 * @throws StatusError 403 for a pod beyond the limits
 */
export function admitPodLimits(pod: JsonObject, context: StrategyContext): void {
  const items = itemsFor(pod, context);
  for (const limits of items) fillContainers(pod, limits);
  for (const limits of items) {
    refuse(
      'pods',
      pod,
      limits.flatMap((item) => podFaults(objectOf(pod, 'spec') ?? {}, item)),
    );
  }
}

/** @throws StatusError 403 for a claim that asks for less or more than the namespace's LimitRanges allow */
export function admitClaimLimits(claim: JsonObject, context: StrategyContext): void {
  const requests = objectOf(objectOf(objectOf(claim, 'spec'), 'resources'), 'requests') ?? {};
  for (const limits of itemsFor(claim, context)) {
    const items = limits.filter(({ type }) => type === 'PersistentVolumeClaim');
    refuse(
      'persistentvolumeclaims',
      claim,
      items.flatMap((item) => claimFaults(requests, item)),
    );
  }
}

/** The items of each LimitRange of the object's namespace. */
function itemsFor(object: JsonObject, { list }: StrategyContext): JsonObject[][] {
  const namespace = textOf(objectOf(object, 'metadata'), 'namespace');
  return [...(list?.(LIMIT_RANGES) ?? [])]
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map((range) => objectsOf(objectOf(range as unknown as JsonObject, 'spec'), 'limits'));
}

function fillContainers(pod: JsonObject, limits: readonly JsonObject[]): void {
  const items = limits.filter(({ type }) => type === 'Container');
  const requests = Object.assign({}, ...items.map((item) => objectOf(item, 'defaultRequest') ?? {})) as JsonObject;
  const most = Object.assign({}, ...items.map((item) => objectOf(item, 'default') ?? {})) as JsonObject;
  const spec = ensureObject(pod, 'spec');
  const said = [
    ...objectsOf(spec, 'containers').flatMap((each) => fillContainer(each, 'container', requests, most)),
    ...objectsOf(spec, 'initContainers').flatMap((each) => fillContainer(each, 'init container', requests, most)),
  ];
  if (said.length === 0) return;
  const annotations = ensureObject(ensureObject(pod, 'metadata'), 'annotations');
  annotations[ANNOTATION] = `LimitRanger plugin set: ${said.join('; ')}`;
}

function fillContainer(container: JsonObject, what: string, requests: JsonObject, limits: JsonObject): string[] {
  const name = textOf(container, 'name');
  const said: string[] = [];
  for (const [key, defaults, word] of [
    ['requests', requests, 'request'],
    ['limits', limits, 'limit'],
  ] as const) {
    const present = objectOf(objectOf(container, 'resources'), key) ?? {};
    const added = Object.keys(defaults).filter((resource) => present[resource] === undefined);
    if (added.length === 0) continue;
    const resources = ensureObject(ensureObject(container, 'resources'), key);
    for (const resource of added) resources[resource] = defaults[resource] ?? '';
    said.push(`${added.sort().join(', ')} ${word} for ${what} ${name}`);
  }
  return said;
}

function podFaults(spec: JsonObject, item: JsonObject): string[] {
  if (item.type === 'Pod') return faultsOf(podAmounts(spec, 'requests'), podAmounts(spec, 'limits'), item);
  if (item.type !== 'Container') return [];
  return [...objectsOf(spec, 'containers'), ...objectsOf(spec, 'initContainers')].flatMap((container) => {
    const resources = objectOf(container, 'resources');
    return faultsOf(objectOf(resources, 'requests') ?? {}, objectOf(resources, 'limits') ?? {}, item);
  });
}

function faultsOf(requests: JsonObject, limits: JsonObject, item: JsonObject): string[] {
  const type = textOf(item, 'type');
  const each = (key: string, check: (resource: string, bound: string) => string | undefined) =>
    Object.entries(objectOf(item, key) ?? {}).flatMap(([resource, bound]) => check(resource, String(bound)) ?? []);
  return [
    ...each('min', (name, bound) => {
      const least = `minimum ${name} usage per ${type} is ${bound}`;
      if (requests[name] === undefined) return `${least}.  No request is specified`;
      if (nano(requests[name]) < nano(bound)) return `${least}, but request is ${text(requests[name])}`;
      const isLess = limits[name] !== undefined && nano(limits[name]) < nano(bound);
      return isLess ? `${least}, but limit is ${text(limits[name])}` : undefined;
    }),
    ...each('max', (name, bound) => {
      const most = `maximum ${name} usage per ${type} is ${bound}`;
      if (limits[name] === undefined) return `${most}.  No limit is specified`;
      if (nano(limits[name]) > nano(bound)) return `${most}, but limit is ${text(limits[name])}`;
      const isMore = requests[name] !== undefined && nano(requests[name]) > nano(bound);
      return isMore ? `${most}, but request is ${text(requests[name])}` : undefined;
    }),
    ...each('maxLimitRequestRatio', (name, bound) => ratioFault(requests[name], limits[name], name, bound, type)),
  ];
}

function ratioFault(request: unknown, limit: unknown, name: string, bound: string, type: string): string | undefined {
  const most = `${name} max limit to request ratio per ${type} is ${bound}`;
  if (nano(request) === 0n) return `${most}, but no request is specified or request is 0`;
  if (nano(limit) === 0n) return `${most}, but no limit is specified or limit is 0`;
  const ratio = Number(nano(limit)) / Number(nano(request));
  return ratio * 1e9 > Number(nano(bound)) ? `${most}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

function claimFaults(requests: JsonObject, item: JsonObject): string[] {
  const bounds = ['min', 'max'] as const;
  return bounds.flatMap((key) =>
    Object.entries(objectOf(item, key) ?? {}).flatMap(([name, bound]) => {
      const said = `${key}imum ${name} usage per PersistentVolumeClaim is ${bound}`;
      if (requests[name] === undefined) return `${said}.  No request is specified`;
      const isBeyond = key === 'min' ? nano(requests[name]) < nano(bound) : nano(requests[name]) > nano(bound);
      return isBeyond ? `${said}, but request is ${text(requests[name])}` : [];
    }),
  );
}

function refuse(resource: string, object: JsonObject, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const unique = [...new Set(faults)];
  const because = unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
  throw forbidden({ group: '', resource }, textOf(objectOf(object, 'metadata'), 'name'), because);
}

function nano(value: unknown): bigint {
  return typeof value === 'string' || typeof value === 'number' ? (parseQuantity(value)?.nano ?? 0n) : 0n;
}

function text(value: unknown): string {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
  return quantity === undefined ? '0' : formatQuantity(quantity);
}
