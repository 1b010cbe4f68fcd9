import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { failure, type StatusError } from '../errors/status';
import { Collection, prefixOf, type StoredEntries, type StoredObject } from './collection';
import { type ChangeType, ObjectHistory, type StoreEvent } from './history';
import type { StoreLog } from './log';

export interface StoreOptions {
  readonly log: StoreLog;
  /** Calls back soon, once: when the writes so far are put into one commit. */
  readonly schedule: (run: () => void) => void;
}

type Listener = (event: StoreEvent) => void;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: StatusError) => void;
}

/** Writes that are made durable together, and the callers that wait for it. */
interface Batch {
  readonly events: readonly StoreEvent[];
  readonly waiters: Waiter[];
}

/**
 * All objects, in memory, over a log. A write changes memory at once and gets the next revision; the writes of one turn of
 * the event loop are committed together, and those that come while the disk is busy, with the next commit. Listeners are called for
 * a write after its commit, `committed` resolves then. When a commit fails, its writes are undone and everybody who waits is
 * answered with 507. When the disk fails under a commit, nothing is taken any more: what it holds is known after a restart only.
 */
export class ObjectStore {
  private readonly log: StoreLog;
  private readonly schedule: (run: () => void) => void;
  private readonly collections = new Map<string, Collection>();
  private readonly histories = new Map<string, ObjectHistory>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly listenersToAll = new Set<Listener>();
  private readonly loadedRevisions: ReadonlyMap<string, number>;
  private lastRevision: number;
  private pending: StoreEvent[] = [];
  private waiters: Waiter[] = [];
  /** Appended, and not known to be durable yet. */
  private syncing: Batch | undefined;
  /** A commit was due while the one before was under way. */
  private isDue = false;
  private broken: string | undefined;
  private closed = false;
  private commits = 0;
  private writes = 0;

  constructor(options: StoreOptions) {
    this.log = options.log;
    this.schedule = options.schedule;
    const contents = this.log.load();
    for (const { resource, key, revision, body } of contents.records) {
      const object = JSON.parse(body) as KubeObject;
      this.collection(resource).set(key, { object, revision, json: body });
    }
    this.loadedRevisions = contents.lastRevisionByResource;
    this.lastRevision = Math.max(1, contents.revision);
  }

  /** The revision of the newest write. Grows with every write and over restarts, never repeats. */
  get revision(): number {
    return this.lastRevision;
  }

  /** The revision of the newest write that is durable and has been announced. */
  get committedRevision(): number {
    const oldest = this.syncing?.events[0] ?? this.pending[0];
    return (oldest?.revision ?? this.lastRevision + 1) - 1;
  }

  /** How many commits brought how many writes to the log since the start. */
  get counts(): { readonly commits: number; readonly writes: number } {
    return { commits: this.commits, writes: this.writes };
  }

  collection(resource: string): Collection {
    return getOrMake(this.collections, resource, () => new Collection());
  }

  get(resource: string, key: string): StoredObject | undefined {
    return this.collections.get(resource)?.get(key);
  }

  /** Stores an object that the caller gives away; sets its `metadata.resourceVersion`. */
  put(resource: string, key: string, object: KubeObject): StoredObject {
    const previous = this.get(resource, key);
    const stored = toStored(object, this.lastRevision + 1);
    if (stored.json.length > limits.objectBytes) throw failure(500, '', 'etcdserver: request is too large');
    const revision = ++this.lastRevision;
    this.collection(resource).set(key, stored);
    this.note(previous === undefined ? 'ADDED' : 'MODIFIED', { resource, key, revision, stored, previous });
    return stored;
  }

  /** Removes an object; the event shows its last state with the revision of the deletion. */
  remove(resource: string, key: string): StoredObject | undefined {
    const previous = this.get(resource, key);
    if (previous === undefined) return undefined;
    const revision = ++this.lastRevision;
    const stored = toStored({ ...previous.object, metadata: { ...previous.object.metadata } }, revision);
    this.collection(resource).delete(key);
    this.note('DELETED', { resource, key, revision, stored, previous });
    return stored;
  }

  /** Resolves when everything up to that revision is durable; without one, everything written so far. */
  async committed(revision = this.lastRevision): Promise<void> {
    if (revision <= this.committedRevision) return;
    const [first] = this.pending;
    const isSyncing = first === undefined || revision < first.revision;
    const waiters = isSyncing ? this.syncing?.waiters : this.waiters;
    await new Promise<void>((resolve, reject) => {
      waiters?.push({ resolve, reject });
    });
  }

  /** The committed events of a resource after a revision; undefined when they are forgotten. */
  eventsSince(resource: string, revision: number): readonly StoreEvent[] | undefined {
    return this.history(resource).since(revision);
  }

  /**
   * The objects of a resource as they were at a revision, or undefined when that is forgotten. The present state when the
   * revision is not older.
   *
   * @param range of one namespace, and those whose keys are greater than `after`
   */
  entriesAt(
    resource: string,
    revision: number,
    { namespace, after }: { readonly namespace?: string | undefined; readonly after?: string | undefined } = {},
  ): StoredEntries | undefined {
    const now = this.collection(resource).entries(namespace, after);
    if (revision >= this.lastRevision) return now;
    const committed = this.eventsSince(resource, revision);
    if (committed === undefined) return undefined;
    const uncommitted = [...(this.syncing?.events ?? []), ...this.pending];
    const later = [...committed, ...uncommitted.filter((event) => event.resource === resource)];
    if (later.length === 0) return now;
    const states = new Map<string, StoredObject | undefined>(now);
    const prefix = prefixOf(namespace);
    for (const { key, previous } of later.reverse()) {
      if (key.startsWith(prefix) && (after === undefined || key > after)) states.set(key, previous);
    }
    const present = [...states].flatMap(([key, stored]): [string, StoredObject][] => (stored ? [[key, stored]] : []));
    present.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.assign(present, { countAfter: (key: string) => present.filter(([each]) => each > key).length });
  }

  /** Forgets the events of a resource up to now, e.g. when its definition changed. */
  compact(resource: string): void {
    this.history(resource).compact(this.lastRevision);
  }

  /** Calls the listener for every committed change of a resource, in order; the result ends it. */
  subscribe(resource: string, listener: Listener): () => void {
    const set = getOrMake(this.listeners, resource, () => new Set<Listener>());
    set.add(listener);
    return () => set.delete(listener);
  }

  subscribeAll(listener: Listener): () => void {
    this.listenersToAll.add(listener);
    return () => this.listenersToAll.delete(listener);
  }

  /** Commits what waits and closes the log. */
  close(): void {
    const last = this.append();
    this.closed = true;
    this.log.close();
    const { syncing } = this;
    this.syncing = undefined;
    if (syncing !== undefined) this.settle(syncing);
    if (last !== undefined) this.settle(last);
  }

  private history(resource: string): ObjectHistory {
    return getOrMake(this.histories, resource, () => new ObjectHistory(this.loadedRevisions.get(resource) ?? 1));
  }

  private note(type: ChangeType, change: Omit<StoreEvent, 'type'>): void {
    this.pending.push({ type, ...change });
    if (this.pending.length === 1) this.schedule(() => this.flush());
  }

  private flush(): void {
    if (this.syncing !== undefined) {
      this.isDue = true;
      return;
    }
    const batch = this.append();
    if (batch === undefined) return;
    if (this.log.sync === undefined) {
      this.settle(batch);
      return;
    }
    this.syncing = batch;
    this.log.sync().then(
      () => this.synced(batch),
      (error: unknown) => this.breakDown(batch, messageOf(error)),
    );
  }

  private synced(batch: Batch): void {
    if (this.closed) return;
    this.syncing = undefined;
    this.settle(batch);
    if (!this.isDue) return;
    this.isDue = false;
    this.flush();
  }

  /** Hands what waits to the log. */
  private append(): Batch | undefined {
    if (this.closed || this.pending.length === 0) return undefined;
    const batch = { events: this.pending, waiters: this.waiters };
    this.pending = [];
    this.waiters = [];
    try {
      if (this.broken !== undefined) throw new Error(this.broken);
      this.log.append(
        batch.events.map(({ type, resource, key, revision, stored }) => {
          return { resource, key, revision, body: type === 'DELETED' ? undefined : stored.json };
        }),
      );
    } catch (error) {
      this.fail(batch, messageOf(error));
      return undefined;
    }
    return batch;
  }

  private settle({ events, waiters }: Batch): void {
    this.commits += 1;
    this.writes += events.length;
    for (const event of events) this.history(event.resource).push(event);
    for (const waiter of waiters) waiter.resolve();
    for (const event of events) this.announce(event);
  }

  private fail({ events, waiters }: Batch, problem: string): void {
    this.undo(events);
    const status = failure(507, 'InsufficientStorage', `the sandbox could not store the change: ${problem}`);
    for (const waiter of waiters) waiter.reject(status);
  }

  private breakDown(batch: Batch, problem: string): void {
    if (this.closed) return;
    this.broken = `${problem}; its disk failed, see to it and start the sandbox again`;
    this.syncing = undefined;
    const later = { events: this.pending, waiters: this.waiters };
    this.pending = [];
    this.waiters = [];
    this.fail(later, this.broken);
    this.fail(batch, this.broken);
  }

  private announce(event: StoreEvent): void {
    for (const listener of [...(this.listeners.get(event.resource) ?? [])]) listener(event);
    for (const listener of [...this.listenersToAll]) listener(event);
  }

  private undo(events: readonly StoreEvent[]): void {
    for (const event of [...events].reverse()) {
      if (event.previous === undefined) this.collection(event.resource).delete(event.key);
      else this.collection(event.resource).set(event.key, event.previous);
    }
  }
}

function toStored(object: KubeObject, revision: number): StoredObject {
  object.metadata.resourceVersion = String(revision);
  const { kind, apiVersion, ...rest } = object;
  return { object, revision, json: JSON.stringify({ kind, apiVersion, ...rest }) };
}

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
