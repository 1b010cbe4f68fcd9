import type { Clock, Timer } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { SnapshotFrame } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { Feed, type RowOrder } from './feed';
import type { ReadFeed } from './read-feed';
import type { ReadRights } from './read-rights';
import { TopicRights } from './topic-rights';

/** Namespaces that are not known yet are waited for so long, so that a list does not begin with a part of it. */
const GRACE_MS = 1_000;

/** A feed that is in use until it is released. */
export interface AcquiredFeed<F> {
  readonly feed: F;
  readonly release: () => void;
}

export interface ReadableFeedOptions {
  readonly topic: Topic;
  /** Its form in frames. */
  readonly key: string;
  readonly rights: ReadRights;
  /** A topic as the console's own account reads it, watched once for all persons. */
  readonly shared: (topic: Topic) => AcquiredFeed<Feed>;
  /** The topic with the person's own authority, where the console's account may not read it. */
  readonly personal: (topic: Topic) => AcquiredFeed<ReadFeed>;
  readonly clock: Clock;
  /** A new one at each call. */
  readonly epoch: () => string;
  readonly order: RowOrder | undefined;
}

/**
 * A topic as one person may read it.
 *
 * - `own`: a feed of this person, filled from the shared one with the objects of the namespaces that they may read. A namespace that is
 *   granted enters it, one that is withdrawn leaves it. It says `forbidden` to a person who may read no namespace.
 * - `shared`: the person may read all of it. The shared feed itself, at no cost.
 * - `personal`: the API server refuses the topic to the console's account, and the person's own authority decides.
 *
 * A feed with another epoch takes the place of the one before, so that every cursor leads to a snapshot then.
 */
export class ReadableFeed implements ReadFeed {
  readonly topic: string;
  private own: Feed;
  private current: ReadFeed;
  private isForbidden = false;
  private shared: AcquiredFeed<Feed> | undefined;
  private names: AcquiredFeed<Feed> | undefined;
  private personal: AcquiredFeed<ReadFeed> | undefined;
  private stopFiltering: (() => void) | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly stops: (() => void)[] = [];
  private readonly sinceMs: number;
  private readonly rights: TopicRights;
  private grace: Timer | undefined;

  constructor(private readonly options: ReadableFeedOptions) {
    this.topic = options.key;
    this.rights = new TopicRights(options.topic, options.rights);
    this.own = this.newFeed();
    this.current = this.own;
    this.sinceMs = options.clock.monotonic();
    this.stops.push(options.rights.follow(() => this.decide()));
    this.decide();
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.stopFiltering?.();
    this.grace?.cancel();
    for (const acquired of [this.shared, this.names, this.personal]) acquired?.release();
  }

  get staleSinceMs(): number | undefined {
    return this.current.staleSinceMs;
  }

  get isLoading(): boolean {
    return this.current.isLoading;
  }

  get hasPart(): boolean {
    return this.current.hasPart;
  }

  get size(): number {
    return this.current.size;
  }

  get partCursor(): string | undefined {
    return this.current.partCursor;
  }

  changesSince(cursor: string | undefined): number {
    return this.current.changesSince(cursor);
  }

  since(cursor: string | undefined, nowMs: number): ReturnType<ReadFeed['since']> {
    return this.current.since(cursor, nowMs);
  }

  beginning(nowMs: number): SnapshotFrame {
    return this.current.beginning(nowMs);
  }

  snapshot(nowMs: number): SnapshotFrame {
    return this.current.snapshot(nowMs);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private decide(): void {
    const access = this.rights.ofTopic();
    if (access === 'unknown') this.sayUnknown();
    else if (access === 'none') this.forbid();
    else this.read(access, this.acquireShared());
  }

  private read(access: 'all' | 'some', shared: Feed): void {
    if (shared.problemNow?.status === 'forbidden') this.showPersonal();
    else if (access === 'all') this.show(shared);
    else this.filter(shared);
  }

  private acquireShared(): Feed {
    if (this.shared === undefined) {
      this.shared = this.options.shared(this.options.topic);
      const { feed } = this.shared;
      let wasForbidden = feed.problemNow?.status === 'forbidden';
      this.stops.push(
        feed.onChange(() => {
          const isForbidden = feed.problemNow?.status === 'forbidden';
          if (isForbidden !== wasForbidden) {
            wasForbidden = isForbidden;
            this.decide();
          } else if (this.current === feed) this.wake();
        }),
      );
    }
    return this.shared.feed;
  }

  private show(feed: ReadFeed): void {
    this.stopFiltering?.();
    this.stopFiltering = undefined;
    if (this.current === feed) return;
    this.current = feed;
    this.wake();
  }

  private showPersonal(): void {
    if (this.personal === undefined) {
      this.personal = this.options.personal(this.options.topic);
      const { feed } = this.personal;
      this.stops.push(
        feed.onChange(() => {
          if (this.current === feed) this.wake();
        }),
      );
    }
    this.show(this.personal.feed);
  }

  /** Rights that were known, and cannot be found out any more, show nothing. */
  private sayUnknown(): void {
    if (this.current === this.own && this.own.isLoading) return;
    this.beginOwn();
    if (this.own.hasProblem && !this.isForbidden) return;
    this.isForbidden = false;
    const message = `The API server does not say what ${this.options.rights.user} may read. It is asked again.`;
    this.own.problem({ status: 'failed', message });
  }

  private forbid(): void {
    if (this.isForbidden && this.current === this.own && this.own.hasProblem) return;
    this.beginOwn();
    this.isForbidden = true;
    this.own.problem(this.rights.refusal());
  }

  /** A new feed of the person's own, unless that is in use. */
  private beginOwn(): void {
    this.stopFiltering?.();
    this.stopFiltering = undefined;
    this.own = this.newFeed();
    this.current = this.own;
  }

  private filter(shared: Feed): void {
    if (this.stopFiltering === undefined) {
      if (this.current !== this.own || this.own.hasProblem) this.beginOwn();
      this.stopFiltering = this.follow(shared);
      return;
    }
    this.fill(shared);
  }

  private follow(shared: Feed): () => void {
    const { own } = this;
    return shared.follow({
      // How many of the list the person may read is known at its end.
      part: () => {},
      ready: () => this.fill(shared),
      changed: (object) => {
        if (this.rights.ofObject(object) !== true) return;
        if (own.isReady) own.changed(object);
        else this.fill(shared);
      },
      deleted: (object) => {
        if (own.isReady && this.rights.ofObject(object) === true) own.deleted(object);
      },
      problem: (problem) => {
        if (problem.status !== 'forbidden') own.problem(problem);
      },
      stale: (sinceMs) => own.stale(sinceMs),
    });
  }

  /** What the person may read of the shared feed now; what they may no longer read leaves their own. */
  private fill(shared: Feed): void {
    if (!shared.isReady) return;
    const readable: KubeObject[] = [];
    let isWaiting = false;
    for (const object of shared.list()) {
      const verdict = this.rights.ofObject(object);
      if (verdict === true) readable.push(object);
      else if (verdict === undefined) isWaiting = true;
    }
    const reach = readable.length > 0 ? 'some' : this.rights.reach(() => this.namespaces());
    if (this.own.isLoading && (isWaiting || reach === 'unknown')) {
      if (!this.isGraceOver()) return;
    }
    if (reach === 'none' && !isWaiting) this.sayForbidden();
    else if (reach === 'some' || this.own.isReady) this.ready(readable);
  }

  private ready(readable: readonly KubeObject[]): void {
    this.isForbidden = false;
    this.own.ready(readable);
  }

  /** The objects leave the feed first: nothing that may not be read stays in it. */
  private sayForbidden(): void {
    if (this.isForbidden && this.own.hasProblem) return;
    if (this.own.size > 0) this.own.ready([]);
    this.isForbidden = true;
    this.own.problem(this.rights.refusal());
  }

  private isGraceOver(): boolean {
    const leftMs = this.sinceMs + GRACE_MS - this.options.clock.monotonic();
    if (leftMs <= 0) return true;
    this.grace ??= this.options.clock.after(leftMs, () => this.decide());
    return false;
  }

  /** The names of all namespaces, none where the console's account may not list them; undefined until they are known. */
  private namespaces(): readonly string[] | undefined {
    if (this.names === undefined) {
      this.names = this.options.shared(topics.namespaces);
      const { feed } = this.names;
      this.stops.push(
        feed.onChange(() => {
          if (this.stopFiltering !== undefined && this.own.size === 0) this.decide();
        }),
      );
    }
    const { feed } = this.names;
    if (feed.isLoading) return undefined;
    return feed.isReady ? [...feed.list()].map(({ metadata }) => metadata.name ?? '') : [];
  }

  private newFeed(): Feed {
    const feed = new Feed(this.options.key, this.options.epoch(), (object) => object, this.options.order);
    feed.onChange(() => {
      if (this.current === feed) this.wake();
    });
    return feed;
  }

  private wake(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
