import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden, type StatusError } from '../http/status';
import { objectOf, objectsOf, textOf } from '../kinds/access';
import type { Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { objectKey } from '../store/collection';
import { isInScope } from './scopes';
import { type Amounts, formatLike, isOver, nano, usageOf } from './usage';

const QUOTAS = 'resourcequotas';

/**
 * Holds a new object against the quotas of its namespace (admission plugin ResourceQuota). A quota counts with its status,
 * which the controller writes; without controllers nothing is limited. Gives the booking: to be called when the object is
 * stored, so that the next one finds it counted.
 * @throws StatusError 403 when a quota does not leave enough, or asks for requests or limits that a pod does not name
 */
export function admitQuota(registry: Registry, info: ResourceInfo, object: KubeObject): () => void {
  if (registry.store.collection(QUOTAS).size === 0) return nothing;
  return admitUsage(registry, info, object, usageOf(info, object));
}

/** The same for a changed object: of the few kinds that may grow, by what they grow. Nothing was taken before for others. */
export function admitQuotaOfUpdate(
  registry: Registry,
  info: ResourceInfo,
  object: KubeObject,
  old: KubeObject,
): () => void {
  if (registry.store.collection(QUOTAS).size === 0 || info.group !== '' || !GROW.has(info.resource)) return nothing;
  const before = usageOf(info, old);
  const more = [...usageOf(info, object)].map(([name, amount]) => [name, amount - (before.get(name) ?? 0n)] as const);
  return admitUsage(registry, info, object, new Map(more));
}

const nothing = (): void => {};

/** Kinds that the quota looks at again when they change (Kubernetes pkg/quota/v1/evaluator/core Handles). */
const GROW: ReadonlySet<string> = new Set(['services', 'persistentvolumeclaims']);

function admitUsage(registry: Registry, info: ResourceInfo, object: KubeObject, usage: Amounts): () => void {
  const { namespace } = object.metadata;
  if (namespace === undefined) return nothing;
  const bookings: (() => void)[] = [];
  const quotas = [...registry.store.collection(QUOTAS).entries(namespace)].map(([, stored]) => stored.object);
  for (const quota of quotas) {
    if (!isInScope(quota, info, object)) continue;
    const status = objectOf(quota as unknown as JsonObject, 'status');
    const hard = objectOf(status, 'hard') ?? {};
    const used = objectOf(status, 'used') ?? {};
    refuseUnnamed(info, object, quota, hard);
    const concerned = [...usage].filter(([name, amount]) => hard[name] !== undefined && amount > 0n);
    if (concerned.length === 0) continue;
    refuseExceeded(info, object, quota, new Map(concerned));
    bookings.push(() => book(registry, quota, used, hard, concerned));
  }
  return () => {
    for (const each of bookings) each();
  };
}

function refuseExceeded(info: ResourceInfo, object: KubeObject, quota: KubeObject, usage: Amounts): void {
  const status = objectOf(quota as unknown as JsonObject, 'status');
  const [hard, used] = [objectOf(status, 'hard') ?? {}, objectOf(status, 'used') ?? {}];
  const exceeded = [...usage.keys()]
    .filter((name) => nano(used[name]) + (usage.get(name) ?? 0n) > nano(hard[name]))
    .sort();
  if (exceeded.length === 0) return;
  const shown = (of: (name: string) => string) => exceeded.map((name) => `${name}=${of(name)}`).join(',');
  const requested = shown((name) => formatLike(usage.get(name) ?? 0n, hard[name]));
  const [present, limited] = [used, hard].map((amounts) => shown((name) => String(amounts[name] ?? '0')));
  throw refused(
    info,
    object,
    `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${present}, limited: ${limited}`,
  );
}

const NAMED = /^(requests\.|limits\.)?(cpu|memory)$/;

/** Under a quota of compute resources every container has to say how much it asks for, or may use. */
function refuseUnnamed(info: ResourceInfo, object: KubeObject, quota: KubeObject, hard: JsonObject): void {
  if (info.group !== '' || info.resource !== 'pods' || isOver(object)) return;
  const spec = objectOf(object as unknown as JsonObject, 'spec');
  const containers = [...objectsOf(spec, 'containers'), ...objectsOf(spec, 'initContainers')];
  const missing = Object.keys(hard)
    .filter((name) => NAMED.test(name))
    .sort()
    .flatMap((name) => {
      const names = containers.filter((each) => !says(each, name)).map((each) => textOf(each, 'name'));
      return names.length === 0 ? [] : [`${name} for: ${names.sort().join(',')}`];
    });
  if (missing.length === 0) return;
  throw refused(info, object, `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`);
}

function says(container: JsonObject, name: string): boolean {
  const key = name.startsWith('limits.') ? 'limits' : 'requests';
  const amounts = objectOf(objectOf(container, 'resources'), key);
  return amounts?.[name.replace(/^(requests|limits)\./, '')] !== undefined;
}

function book(
  registry: Registry,
  quota: KubeObject,
  used: JsonObject,
  hard: JsonObject,
  usage: readonly (readonly [string, bigint])[],
): void {
  const sums = usage.map(([name, amount]) => [name, formatLike(nano(used[name]) + amount, hard[name])] as const);
  const status = { hard, used: { ...used, ...Object.fromEntries(sums) } };
  const key = objectKey(quota.metadata.namespace, quota.metadata.name ?? '');
  registry.store.put(QUOTAS, key, { ...quota, metadata: { ...quota.metadata }, status });
}

function refused(info: ResourceInfo, object: KubeObject, because: string): StatusError {
  return forbidden(info, object.metadata.name ?? '', because);
}
