import type { Clock, Timer } from '@/lib/clock/clock';
import { formatApiVersion } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { randomInteger } from '@/lib/random/random';
import { expired } from '../errors/status';
import { type Exchange, startStream } from '../exchange/exchange';
import { asStored, inVersion } from '../registry/convert';
import { checkFieldLabels } from '../registry/field-labels';
import type { Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { objectKey, type StoredObject } from '../store/collection';
import type { StoreEvent } from '../store/history';
import { selects } from './list';
import { type ListOptions, parseRevision } from './list-options';

/** How the object of an event is written: itself, or a Table or its metadata. Gives JSON text. */
export type EventForm = (stored: StoredObject) => string;

export interface WatchRequest {
  readonly info: ResourceInfo;
  readonly namespace: string | undefined;
  /** Set for a watch of one name (`/watch/…/name`). */
  readonly name: string | undefined;
  readonly options: ListOptions;
  /** Undefined for the plain object, whose text is shared by all watchers. */
  readonly form: EventForm | undefined;
}

const BOOKMARK_MS = 60_000;

/** Up to so many past events are sent one by one, as Kubernetes flushes each. */
const SEPARATE_EVENTS = 64;
const MIN_LIFE_SECONDS = 1800;

/** A long state is sent in pieces of about this size. */
const PIECE_BYTES = 256 * 1024;

/** A watcher whose client reads too slowly is ended when this much waits for it. */
const MAX_QUEUED_BYTES = 2 * limits.watchEventBytes;

/**
 * A watch: open → (initial events) → live → ended. Ends with its timeout, its client, the server, a forgotten revision
 * (an ERROR event, 410) or a client too slow. No event is lost between the initial ones and the live ones: what is
 * committed later than the start carries a greater revision, what is not is left out.
 */
export function serveWatch(registry: Registry, exchange: Exchange, watch: WatchRequest): void {
  checkFieldLabels(watch.info, watch.options.fields);
  const revision = parseRevision(watch.options.resourceVersion, 'watch');
  startStream(exchange, 'application/json');
  new Watcher(registry, exchange, watch).run(revision);
}

class Watcher {
  private readonly timers: Timer[] = [];
  private readonly clock: Clock;
  private unsubscribe: () => void = () => {};
  private seen = 0;
  private ended = false;
  private unsent: Buffer[] = [];
  private unsentBytes = 0;
  private readonly onStop = () => this.end();

  constructor(
    private readonly registry: Registry,
    private readonly exchange: Exchange,
    private readonly watch: WatchRequest,
  ) {
    this.clock = registry.clock;
  }

  run(revision: number | undefined): void {
    const { store } = this.registry;
    const { options } = this.watch;
    const fresh = revision === undefined || revision === 0;
    if (options.sendInitialEvents === true || (options.sendInitialEvents === undefined && fresh)) {
      this.seen = store.revision;
      this.sendState();
      if (options.sendInitialEvents === true && options.bookmarks)
        this.bookmark({ 'k8s.io/initial-events-end': 'true' });
    } else {
      this.seen = fresh ? store.revision : revision;
    }
    this.arm();
    this.catchUp();
  }

  /** Sends what was committed since, then goes live; the first few events each in a packet of their own. */
  private catchUp(): void {
    const { store } = this.registry;
    const past = store.eventsSince(this.watch.info.storage, this.seen);
    if (past === undefined) {
      this.refuse();
      return;
    }
    const [first] = past;
    if (first === undefined || this.ended) {
      if (!this.ended) this.goLive();
    } else if (past.length > SEPARATE_EVENTS) {
      for (const event of past) this.onEvent(event);
      this.catchUp();
    } else {
      this.onEvent(first);
      setImmediate(() => this.catchUp());
    }
  }

  private goLive(): void {
    const { store, table } = this.registry;
    const { info } = this.watch;
    const unsubscribe = store.subscribe(info.storage, (event) => this.onEvent(event));
    const ignore = table.onChange(() => {
      if (table.get(info.group, info.version, info.resource) === undefined) this.end();
    });
    this.unsubscribe = () => {
      unsubscribe();
      ignore();
    };
  }

  private arm(): void {
    const random = this.registry.random;
    // A timeout of 0 is none.
    const seconds = this.watch.options.timeoutSeconds || MIN_LIFE_SECONDS + randomInteger(random, MIN_LIFE_SECONDS);
    this.timers.push(this.clock.after(seconds * 1000, () => this.end()));
    if (this.watch.options.bookmarks) this.armBookmark();
    this.exchange.signal.addEventListener('abort', this.onStop, { once: true });
    this.exchange.response.on('close', () => this.end());
    if (this.exchange.signal.aborted) this.end();
  }

  private armBookmark(): void {
    this.timers[1] = this.clock.after(BOOKMARK_MS, () => {
      this.bookmark(undefined);
      if (!this.ended) this.armBookmark();
    });
  }

  private sendState(): void {
    const { info, namespace } = this.watch;
    for (const [key, stored] of this.registry.store.collection(info.storage).entries(namespace)) {
      if (this.isOurs(key) && selects(info, this.watch.options, stored)) this.send('ADDED', stored);
    }
  }

  private onEvent(event: StoreEvent): void {
    if (this.ended || event.revision <= this.seen) return;
    this.seen = event.revision;
    if (!this.isOurs(event.key)) return;
    const { info, options } = this.watch;
    const before = event.previous !== undefined && selects(info, options, event.previous);
    const now = event.type !== 'DELETED' && selects(info, options, event.stored);
    if (now) this.send(before ? 'MODIFIED' : 'ADDED', event.stored);
    else if (before) this.send('DELETED', event.type === 'DELETED' ? event.stored : lastMatching(event));
  }

  private isOurs(key: string): boolean {
    const { namespace, name } = this.watch;
    if (name !== undefined) return key === objectKey(namespace, name);
    return namespace === undefined || key.startsWith(`${namespace}/`);
  }

  private send(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject): void {
    const { info, form } = this.watch;
    this.write(form === undefined ? sharedLine(info, type, stored) : lineOf(type, form(stored)));
  }

  private bookmark(annotations: { [key: string]: string } | undefined): void {
    const { info, form } = this.watch;
    // Everything up to the newest revision has been seen, unless commits of this very turn still wait.
    const revision = Math.max(this.seen, this.registry.store.committedRevision);
    const object = {
      kind: info.kind,
      apiVersion: formatApiVersion(info.group, info.version),
      metadata: { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) },
    };
    const json = JSON.stringify(object);
    this.write(lineOf('BOOKMARK', form === undefined ? json : form({ object, revision, json })));
  }

  private refuse(): void {
    const { status } = expired(`too old resource version: ${this.seen} (${this.registry.store.revision})`);
    this.write(lineOf('ERROR', JSON.stringify(status)));
    this.end();
  }

  /** Events of one turn of the event loop are sent in one piece: the writes of a commit make one packet, not one each. */
  private write(line: Buffer): void {
    if (this.unsent.length === 0) queueMicrotask(() => this.flush());
    this.unsent.push(line);
    this.unsentBytes += line.length;
    if (this.unsentBytes > PIECE_BYTES) this.flush();
  }

  private flush(): void {
    const [only] = this.unsent;
    if (only === undefined) return;
    const { response } = this.exchange;
    response.write(this.unsent.length === 1 ? only : Buffer.concat(this.unsent, this.unsentBytes));
    this.unsent = [];
    this.unsentBytes = 0;
    if (response.writableLength > MAX_QUEUED_BYTES) {
      this.end();
      response.destroy();
    }
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unsubscribe();
    // The signal lives as long as the server: without this it would keep every watch that ever was.
    this.exchange.signal.removeEventListener('abort', this.onStop);
    for (const timer of this.timers) timer.cancel();
    this.flush();
    this.exchange.response.end();
  }
}

/** An object that stopped matching, as it was when it did, with the revision of the change. */
function lastMatching(event: StoreEvent): StoredObject {
  const { previous, revision } = event;
  if (previous === undefined) return event.stored;
  const metadata = { ...previous.object.metadata, resourceVersion: String(revision) };
  return asStored({ ...previous.object, metadata }, revision);
}

function lineOf(type: string, json: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${json}}\n`);
}

let shared: { readonly stored: StoredObject; readonly key: string; readonly line: Buffer } | undefined;

/**
 * The bytes of an event, made once for all watchers. They hear of it one after the other, so only the last one is kept:
 * bytes beside every object would cost more memory than they save time.
 */
function sharedLine(info: ResourceInfo, type: string, stored: StoredObject): Buffer {
  const key = `${type} ${info.group}/${info.version}`;
  if (shared?.stored !== stored || shared.key !== key) {
    shared = { stored, key, line: lineOf(type, inVersion(info, stored).json) };
  }
  return shared.line;
}
