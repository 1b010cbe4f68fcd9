import type { Api, Target } from './api';
import type { CacheOptions } from './cache-options';
import { isClusterScoped } from './cluster-scoped';
import { JoinedCache } from './joined-cache';
import { Cache } from './watched-cache';

export type { CacheChange, CacheListener, CacheOptions } from './cache-options';
export { Cache } from './watched-cache';

/**
 * Lists and watches one target until `stop`. The first list is on its way when this returns. All namespaces of an Api that knows only some
 * are watched one by one.
 */
export function startCache(api: Api, target: Target, options: CacheOptions): Cache {
  const { namespaces = [] } = api;
  const isWhole = target.namespace === undefined && !isClusterScoped(target);
  const cache =
    isWhole && namespaces.length > 0
      ? new JoinedCache(api, target, { options, namespaces })
      : new Cache(api, target, options);
  cache.start();
  return cache;
}
