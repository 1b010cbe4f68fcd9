import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import type { Log } from '@/server/log/log';
import type { ListRequest } from './api';
import type { BackoffBounds } from './backoff';

/** One change of a cached object. `previous` is what the cache held; `object` of a DELETED is the last known state. */
export interface CacheChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

export type CacheListener = (change: CacheChange) => void;

export interface CacheOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly selectors?: Pick<ListRequest, 'labelSelector' | 'fieldSelector'>;
  /** Drops fields to save memory; must keep `metadata.name`, `namespace`, `uid` and `resourceVersion`. */
  readonly shrink?: (object: KubeObject) => KubeObject;
  /** Called with each page of the first list, as it is kept, and how many objects follow, if the API server says so. */
  readonly onPart?: (objects: readonly KubeObject[], remaining: number | undefined) => void;
  /** Called when `isSynced`, `problem` or `staleSinceMs` may have changed. */
  readonly onHealth?: () => void;
  /** How often a list that the API refuses (403) or does not serve (404, 405) is asked for again. */
  readonly retryRefused?: BackoffBounds;
}
