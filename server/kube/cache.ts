import type { Api, Target } from './api';
import { isClusterScoped } from './cluster-scoped';
import { JoinedCache } from './joined-cache';
import { Cache, type CacheOptions } from './watched-cache';

export { Cache, type CacheChange, type CacheListener, type CacheOptions } from './watched-cache';

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
