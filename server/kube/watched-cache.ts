import { sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Api, ListedPage, Target, WatchEvent } from './api';
import { backoffMs } from './backoff';
import { type Need, needAfter, retryBounds } from './cache-need';
import type { CacheChange, CacheListener, CacheOptions } from './cache-options';
import { codeOf } from './errors';
import { isOlder, isOlderVersion, isSameVersion } from './older-version';

/**
 * A watched copy of some objects.
 *
 * States: *listing* (at the start, after 410, after a malformed stream, and when the server was unreachable or returned to an
 * older version) → *watching* (from the list's resourceVersion; reopened from the last one seen every minute) → *waiting* (after
 * a failure, 0.2 s to 30 s with jitter, shorter when the server was unreachable and answers again; then watching from the same
 * resourceVersion). A list emits what differs from the copy, deletes included. An object never returns to an older state,
 * whatever the order of events. A kind that has no watch (405) is listed every 15 s instead.
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
  protected markSynced: () => void = () => undefined;
  private hasSynced = false;
  private behindSinceMs: number | undefined;
  private lastProblem: Error | undefined;
  private resourceVersion = '';
  /** The current watch delivered an event, or was open for a while. */
  private hasMoved = false;
  /** Closes the current watch; see {@link reopen}. */
  private endWatch: (() => void) | undefined;
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

  /** Closes the watch; resolves when no request is in progress. */
  async stop(): Promise<void> {
    this.stopper.abort(new Error('The cache was stopped.'));
    await this.finished;
  }

  /**
   * Reopens the watch from the last resourceVersion, because the connection may be dead. Until the server accepts it, the copy
   * counts as stale since the given wall time.
   */
  reopen(sinceMs: number): void {
    if (this.endWatch === undefined) return;
    this.behindSinceMs ??= sinceMs;
    this.endWatch();
  }

  get isSynced(): boolean {
    return this.hasSynced;
  }

  /** Wall time since which the copy may be stale; undefined while the watch is open. */
  get staleSinceMs(): number | undefined {
    return this.behindSinceMs;
  }

  /** Why the last list or watch failed; undefined after a success. */
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

  /** Calls the listener for every change; the result unsubscribes. Errors of a listener are logged. */
  onChange(listener: CacheListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopper;
    let failures = 0;
    let need: Need = 'list';
    while (!signal.aborted) {
      try {
        if (need === 'check' && (await this.wentBack(signal))) need = 'list';
        if (need === 'list') await this.relist(signal);
        need = 'nothing';
        this.hasMoved = false;
        need = await this.follow(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures = this.hasMoved ? 1 : failures + 1;
        this.hasMoved = false;
        this.noteFailure(error, failures);
        need = needAfter(error, failures, need);
        await this.pause(error, failures, signal);
      }
    }
  }

  /**
   * Watches once. A kind that can be listed but not watched, such as those of metrics.k8s.io, is listed again after a while: 405
   * refuses the watch, not the list.
   */
  private async follow(signal: AbortSignal): Promise<Need> {
    try {
      await this.watchOnce(signal);
      return 'nothing';
    } catch (error) {
      if (codeOf(error) !== 405 || signal.aborted) throw error;
      this.noteSuccess();
      await sleep(this.options.clock, POLL_MS, signal).catch(() => undefined);
      return 'list';
    }
  }

  /** True when the server has an older state than the copy: it was restored from a backup (docs/faults.md A18). */
  private async wentBack(signal: AbortSignal): Promise<boolean> {
    // An empty list still has the server's resourceVersion.
    const nothing = await this.api.list(this.target, { fieldSelector: 'metadata.name=none', signal });
    return isOlderVersion(nothing.resourceVersion, this.resourceVersion);
  }

  private async relist(signal: AbortSignal): Promise<void> {
    // Not what was seen: of a first list that would be every key, twice.
    let unseen = new Map<string, KubeObject>();
    const onPage = ({ items, isFirst, remaining }: ListedPage): void => {
      if (isFirst) unseen = new Map(this.objectByKey);
      const kept = items.map((object) => {
        const key = keyOf(object);
        unseen.delete(key);
        return this.put(key, object, true);
      });
      if (!this.hasSynced) this.options.onPart?.(kept, remaining);
    };
    const list = await this.api.list(this.target, { ...this.options.selectors, signal, onPage });
    for (const [key, object] of unseen) this.drop(key, object);
    this.resourceVersion = list.resourceVersion;
    if (!this.hasSynced) {
      this.hasSynced = true;
      this.markSynced();
    }
    this.noteSuccess();
  }

  /** One watch request, to its normal end. `hasMoved` says whether it delivered anything, also when this throws. */
  private async watchOnce(signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    let acceptedAtMs: number | undefined;
    const ending = new AbortController();
    const forward = () => ending.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    this.endWatch = () => ending.abort(REOPENED);
    const request = { ...this.options.selectors, resourceVersion: this.resourceVersion, signal: ending.signal };
    this.noteBeginning();
    try {
      for await (const event of this.api.watch(this.target, request)) {
        acceptedAtMs ??= clock.monotonic();
        this.noteSuccess();
        this.take(event);
      }
    } catch (error) {
      if (error !== REOPENED) throw error;
    } finally {
      this.endWatch = undefined;
      signal.removeEventListener('abort', forward);
      if (acceptedAtMs !== undefined && clock.monotonic() - acceptedAtMs >= 1_000) this.hasMoved = true;
    }
    if (signal.aborted || ending.signal.aborted) return;
    if (acceptedAtMs === undefined) throw new TransientError('The Kubernetes API did not accept a watch.', 'Timeout');
    // A server that closes every watch immediately must not be asked in a tight loop.
    if (!this.hasMoved) throw new TransientError('The Kubernetes API closed a watch immediately.', 'WatchEnded');
  }

  private take(event: WatchEvent): void {
    const version = event.object.metadata.resourceVersion;
    if (version !== undefined && version !== '') {
      if (isOlderVersion(version, this.resourceVersion)) throw new ConflictError(WENT_BACK, 'VersionWentBack');
      if (version !== this.resourceVersion) this.hasMoved = true;
      this.resourceVersion = version;
    }
    if (event.type === 'BOOKMARK') return;
    const key = keyOf(event.object);
    if (event.type === 'DELETED') this.drop(key, event.object);
    else this.put(key, event.object, false);
  }

  /** Returns the object as it is known now. */
  private put(key: string, object: KubeObject, fromList: boolean): KubeObject {
    const previous = this.objectByKey.get(key);
    const sameObject = previous !== undefined && previous.metadata.uid === object.metadata.uid;
    if (sameObject && isSameVersion(previous, object)) return previous;
    if (sameObject && !fromList && isOlder(object, previous)) return previous;
    const kept = this.options.shrink?.(object) ?? object;
    if (previous !== undefined && !sameObject) this.emit({ type: 'DELETED', object: previous, previous });
    this.objectByKey.set(key, kept);
    if (sameObject) this.emit({ type: 'MODIFIED', object: kept, previous });
    else this.emit({ type: 'ADDED', object: kept, previous: undefined });
    return kept;
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

  /** A watch was requested: until the server accepts it, the copy receives no events. */
  private noteBeginning(): void {
    if (this.behindSinceMs !== undefined) return;
    this.behindSinceMs = this.options.clock.now();
    this.options.onHealth?.();
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
    // The first 410 is normal: list again immediately.
    if (error instanceof ConflictError && failures === 1) return;
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = backoffMs(failures, retryBounds(error, this.options.retryRefused), this.options.random);
    if (asked < delayMs && this.api.pause !== undefined) await this.api.pause(delayMs, signal);
    else await sleep(this.options.clock, Math.max(asked, delayMs), signal).catch(() => undefined);
  }
}

/** How often a kind without watch is listed. */
const POLL_MS = 15_000;

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

const REOPENED = new Error('The watch is being reopened.');

const WENT_BACK = 'The Kubernetes API returned to an older resourceVersion.';
