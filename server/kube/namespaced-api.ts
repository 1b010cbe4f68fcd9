import { type Clock, sleep } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Api, ListRequest, ObjectList, PagedListRequest, Target, WatchEvent } from './api';
import { isClusterScoped } from './cluster-scoped';
import { codeOf } from './errors';

export interface NamespacedOptions {
  /** Empty: all that the account may read. */
  readonly namespaces: readonly string[];
  readonly clock: Clock;
}

/**
 * An Api for an account with rights in some namespaces only: a list of all namespaces reads these, one after the other, and caches watch them one
 * by one (see startCache). The list of namespaces is that of these names. Everything else is asked as it is.
 */
export function namespacedApi<A extends Api>(api: A, { namespaces, clock }: NamespacedOptions): A {
  if (namespaces.length === 0) return api;
  const isList = (target: Target) => target.namespace === undefined && isNamespaces(target);
  return {
    ...api,
    namespaces,
    list: (target: Target, options?: PagedListRequest) => {
      if (target.namespace !== undefined) return api.list(target, options);
      if (isList(target)) return listNamespaces(api, namespaces, options);
      return isClusterScoped(target) ? api.list(target, options) : listEach(api, target, { namespaces, options });
    },
    watch: (target: Target, options: ListRequest & { resourceVersion: string }) =>
      isList(target) ? quietWatch(clock, options) : api.watch(target, options),
  };
}

/** The names never change while the process runs: a watch of them has no events. */
async function* quietWatch(
  clock: Clock,
  { signal, resourceVersion }: ListRequest & { resourceVersion: string },
): AsyncGenerator<WatchEvent> {
  yield { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { resourceVersion } } };
  await sleep(clock, WATCHED_MS, signal).catch(() => undefined);
}

const WATCHED_MS = 60_000;

const isNamespaces = ({ group, resource }: Target): boolean => group === '' && resource === 'namespaces';

interface EachOptions {
  readonly namespaces: readonly string[];
  readonly options: PagedListRequest | undefined;
}

/** The resourceVersion is that of the first list: what changed since then is seen again by who watches from it. */
async function listEach(api: Api, target: Target, { namespaces, options = {} }: EachOptions): Promise<ObjectList> {
  const { onPage, ...request } = options;
  const items: KubeObject[] = [];
  let resourceVersion = '';
  for (const [index, namespace] of namespaces.entries()) {
    const list = await api.list({ ...target, namespace }, request);
    if (index === 0) resourceVersion = list.resourceVersion;
    if (onPage === undefined) items.push(...list.items);
    else onPage({ items: list.items, isFirst: index === 0, remaining: undefined });
  }
  return { resourceVersion, items };
}

/** A Role in a namespace can allow to get that Namespace; one that may not be read has at least a name. */
async function listNamespaces(api: Api, names: readonly string[], options: PagedListRequest = {}): Promise<ObjectList> {
  const items: KubeObject[] = [];
  for (const name of names) {
    const { signal } = options;
    const target = { group: '', version: 'v1', resource: 'namespaces', name };
    const found = await api.get(target, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      if (codeOf(error) === 403) return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      throw error;
    });
    if (found !== undefined) items.push(found);
  }
  options.onPage?.({ items, isFirst: true, remaining: 0 });
  return { resourceVersion: '0', items: options.onPage === undefined ? items : [] };
}
