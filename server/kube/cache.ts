import { type Clock, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import type { Log } from '@/server/log/log';
import type { Api, ListOptions, Target, WatchEvent } from './api';
import { backoffMs } from './backoff';
import { codeOf } from './errors';

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
  readonly selectors?: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>;
  /** Keeps less of each object in memory; must keep `metadata.name`, `namespace`, `uid` and `resourceVersion`. */
  readonly shrink?: (object: KubeObject) => KubeObject;
  /** Called when `isSynced`, `problem` or `staleSinceMs` may have changed. */
  readonly onHealth?: () => void;
}

const RETRY = { floorMs: 200, ceilingMs: 30_000 } as const;
/** A kind that is not served (yet): whoever installs its definition does not want to wait half a minute. */
const RETRY_MISSING = { floorMs: 200, ceilingMs: 4_000 } as const;

/** Lists and watches one target until `stop`. The first list is on its way when this returns. */
export function startCache(api: Api, target: Target, options: CacheOptions): Cache {
  const cache = new Cache(api, target, options);
  cache.start();
  return cache;
}

/**
 * A watched copy of some objects.
 *
 * States: *listing* (entered at the start, after 410 and after a malformed stream) → *watching* (from the list's
 * resourceVersion; reopened from the last one seen every minute) → *waiting* (after a failure, 0.2 s to 30 s with
 * jitter, then watching again from the same place). A list emits what differs from the copy, deletes included.
 * An object never goes back to an older state, whatever the order of events.
 */
export class Cache {
  readonly target: Target;
  /** Resolves after the first complete list; never rejects (see `problem`). */
  readonly synced: Promise<void>;
  private readonly api: Api;
  private readonly options: CacheOptions;
  private readonly objectByKey = new Map<string, KubeObject>();
  private readonly listeners = new Set<CacheListener>();
  private readonly stopper = new AbortController();
  private markSynced: () => void = () => undefined;
  private hasSynced = false;
  private behindSinceMs: number | undefined;
  private lastProblem: Error | undefined;
  private resourceVersion = '';
  private finished: Promise<void> = Promise.resolve();

  constructor(api: Api, target: Target, options: CacheOptions) {
    this.api = api;
    this.target = target;
    this.options = options;
    this.behindSinceMs = options.clock.now();
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
  }

  start(): void {
    this.finished = this.run();
  }

  /** Ends the watch; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopper.abort(new Error('The cache was stopped.'));
    await this.finished;
  }

  get isSynced(): boolean {
    return this.hasSynced;
  }

  /** Wall time since when the copy may be behind; undefined while the watch is open and well. */
  get staleSinceMs(): number | undefined {
    return this.behindSinceMs;
  }

  /** Why the last list or watch failed; undefined while all is well. */
  get problem(): Error | undefined {
    return this.lastProblem;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.objectByKey.get(`${namespace}/${name}`);
  }

  /** All objects, or those of one namespace, in no order. */
  list(namespace?: string): KubeObject[] {
    const all = [...this.objectByKey.values()];
    return namespace === undefined ? all : all.filter((object) => namespaceOf(object) === namespace);
  }

  get size(): number {
    return this.objectByKey.size;
  }

  /** Calls the listener for every change from now on; the result ends it. What a listener throws is logged. */
  onChange(listener: CacheListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopper;
    let failures = 0;
    let needsList = true;
    while (!signal.aborted) {
      try {
        if (needsList) {
          await this.relist(signal);
          needsList = false;
          failures = 0;
        }
        if (await this.watchOnce(signal)) failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.noteFailure(error, failures);
        if (error instanceof ConflictError) needsList = true;
        await this.pause(error, failures, signal);
      }
    }
  }

  private async relist(signal: AbortSignal): Promise<void> {
    const list = await this.api.list(this.target, { ...this.options.selectors, signal });
    const seen = new Set<string>();
    for (const object of list.items) {
      const key = keyOf(object);
      seen.add(key);
      this.put(key, object, true);
    }
    for (const [key, object] of this.objectByKey) {
      if (!seen.has(key)) this.drop(key, object);
    }
    this.resourceVersion = list.resourceVersion;
    if (!this.hasSynced) {
      this.hasSynced = true;
      this.markSynced();
    }
    this.noteSuccess();
  }

  /** One watch request. True when it brought something. */
  private async watchOnce(signal: AbortSignal): Promise<boolean> {
    const { selectors } = this.options;
    const openedAtMs = this.options.clock.monotonic();
    const openedAt = this.resourceVersion;
    let events = 0;
    const request = { ...selectors, resourceVersion: this.resourceVersion, signal };
    for await (const event of this.api.watch(this.target, request)) {
      if (event.type !== 'BOOKMARK') events += 1;
      this.noteSuccess();
      this.take(event);
    }
    // A server that ends every watch at once must not be asked in a tight loop.
    const isBarren = events === 0 && this.resourceVersion === openedAt;
    if (isBarren && this.options.clock.monotonic() - openedAtMs < 1_000 && !signal.aborted) {
      throw new TransientError('The Kubernetes API ended a watch at once.', 'WatchEnded');
    }
    this.noteSuccess();
    return !isBarren;
  }

  private take(event: WatchEvent): void {
    const version = event.object.metadata.resourceVersion;
    if (version !== undefined && version !== '') this.resourceVersion = version;
    if (event.type === 'BOOKMARK') return;
    const key = keyOf(event.object);
    if (event.type === 'DELETED') this.drop(key, event.object);
    else this.put(key, event.object, false);
  }

  private put(key: string, object: KubeObject, fromList: boolean): void {
    const previous = this.objectByKey.get(key);
    const sameObject = previous !== undefined && previous.metadata.uid === object.metadata.uid;
    if (sameObject && previous.metadata.resourceVersion === object.metadata.resourceVersion) return;
    if (sameObject && !fromList && isOlder(object, previous)) return;
    const kept = this.options.shrink?.(object) ?? object;
    if (previous !== undefined && !sameObject) this.emit({ type: 'DELETED', object: previous, previous });
    this.objectByKey.set(key, kept);
    if (sameObject) this.emit({ type: 'MODIFIED', object: kept, previous });
    else this.emit({ type: 'ADDED', object: kept, previous: undefined });
  }

  private drop(key: string, object: KubeObject): void {
    const previous = this.objectByKey.get(key);
    if (previous === undefined || previous.metadata.uid !== object.metadata.uid) return;
    this.objectByKey.delete(key);
    this.emit({ type: 'DELETED', object: this.options.shrink?.(object) ?? object, previous });
  }

  private emit(change: CacheChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.options.log.error('cache.listener-failed', { resource: this.target.resource, error });
      }
    }
  }

  private noteSuccess(): void {
    const wasWell = this.behindSinceMs === undefined && this.lastProblem === undefined;
    this.behindSinceMs = undefined;
    this.lastProblem = undefined;
    if (!wasWell) this.options.onHealth?.();
  }

  private noteFailure(error: unknown, failures: number): void {
    this.behindSinceMs ??= this.options.clock.now();
    this.lastProblem = error instanceof Error ? error : new Error(messageOf(error));
    this.options.onHealth?.();
    if (failures === 3) {
      this.options.log.warn('cache.behind', { resource: this.target.resource, problem: messageOf(error) });
    }
  }

  private async pause(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    // The first 410 is ordinary: list again at once.
    if (error instanceof ConflictError && failures === 1) return;
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    const bounds = codeOf(error) === 404 ? RETRY_MISSING : RETRY;
    const delayMs = Math.max(asked, backoffMs(failures, bounds, this.options.random));
    await sleep(this.options.clock, delayMs, signal).catch(() => undefined);
  }
}

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

/** resourceVersions are compared as numbers, which Kubernetes promises since 1.35 (KEP-5504); others count as newer. */
function isOlder(object: KubeObject, than: KubeObject): boolean {
  const a = object.metadata.resourceVersion ?? '';
  const b = than.metadata.resourceVersion ?? '';
  if (!/^[0-9]+$/.test(a) || !/^[0-9]+$/.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}
