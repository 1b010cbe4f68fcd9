import type { KubeObject } from '@/lib/kube/object';
import { type LiveFrame, liveKey, type ObjectName, type SnapshotFrame, type TopicProblem } from '@/lib/live/frames';
import { parseTopic } from '@/lib/live/topic';
import type { ReadFeed } from './read-feed';

/** What a watched topic reports to its feed. The order of calls is the order of the API's events. */
export interface FeedEvents {
  /** A part of the first list was read, which has `total` objects. They stay unless the complete list is without them. */
  part(objects: readonly KubeObject[], total: number): void;
  /** The first complete list was read, or the topic came back after a problem. */
  ready(objects: readonly KubeObject[]): void;
  changed(object: KubeObject): void;
  deleted(object: KubeObject): void;
  problem(problem: TopicProblem): void;
  /** Since when the watch has had no contact; undefined when it has again. */
  stale(sinceMs: number | undefined): void;
}

/** Opens the watch of a topic; the result ends it. */
export type OpenFeed = (events: FeedEvents) => () => void;

interface JournalEntry {
  readonly sequence: number;
  readonly key: string;
  readonly name: ObjectName;
}

/** A page is drawn with so many rows at first. */
const BEGINNING = 100;

/** Changes that are remembered for clients that come back; older cursors get a snapshot. */
const JOURNAL_LENGTH = 5_000;

/**
 * One topic, watched once for all browsers. Holds the objects as they are shown (already presented: no secrets) and a
 * journal of what changed, so that a client is nothing but a cursor: a slow one reads more at a time, and nothing is
 * queued for it.
 *
 * States: loading (no list yet) → ready ⇄ problem. `stale` is a mark on ready.
 */
export class Feed implements FeedEvents, ReadFeed {
  private state: 'loading' | 'ready' | 'problem' = 'loading';
  private currentProblem: TopicProblem | undefined;
  private objects = new Map<string, KubeObject>();
  private journal: JournalEntry[] = [];
  private sequence = 0;
  private readonly listeners = new Set<() => void>();
  private readonly followers = new Set<FeedEvents>();
  private readonly present: (object: KubeObject) => KubeObject;
  private readonly epoch: string;
  readonly topic: string;
  private readonly isOfOne: boolean;
  /** The last state of the object of a topic of one: merged with the change just before it, it would be lost. */
  private last: KubeObject | undefined;
  /** How many objects there are while the first list is being read; undefined otherwise. */
  private coming: number | undefined;
  private readonly order: RowOrder;
  /** A part of these is worth drawing: rows of everything. */
  private readonly isDrawnInPart: boolean;
  /** See {@link FeedEvents.stale}. */
  staleSinceMs: number | undefined;

  constructor(topic: string, epoch: string, present: (object: KubeObject) => KubeObject, order: RowOrder = () => 0) {
    const { name, of, view } = parseTopic(topic) ?? {};
    this.topic = topic;
    this.isOfOne = name !== undefined;
    this.isDrawnInPart = view === 'rows' && name === undefined && of === undefined;
    this.epoch = epoch;
    this.present = present;
    this.order = order;
  }

  part(objects: readonly KubeObject[], total: number): void {
    for (const object of objects) this.remember(object);
    this.coming = total;
    this.report((events) => events.part(this.shownOf(objects), total));
    this.wake();
  }

  ready(objects: readonly KubeObject[]): void {
    const keys = new Set(objects.map(liveKey));
    for (const [key, object] of this.objects) if (!keys.has(key)) this.forget(key, object);
    for (const object of objects) this.remember(object);
    this.state = 'ready';
    this.coming = undefined;
    this.currentProblem = undefined;
    this.report((events) => events.ready([...this.objects.values()]));
    this.wake();
  }

  changed(object: KubeObject): void {
    const shown = this.remember(object);
    if (shown !== undefined) this.report((events) => events.changed(shown));
    this.wake();
  }

  deleted(object: KubeObject): void {
    const shown = this.isOfOne || this.followers.size > 0 ? this.present(object) : object;
    if (this.isOfOne) this.last = shown;
    this.forget(liveKey(object), object);
    this.report((events) => events.deleted(shown));
    this.wake();
  }

  /** Reports what is known now, and then every change, with objects as they are shown; the result ends it. */
  follow(events: FeedEvents): () => void {
    if (this.coming !== undefined) events.part([...this.objects.values()], this.coming);
    if (this.state === 'ready') events.ready([...this.objects.values()]);
    if (this.currentProblem !== undefined) events.problem(this.currentProblem);
    if (this.staleSinceMs !== undefined) events.stale(this.staleSinceMs);
    this.followers.add(events);
    return () => this.followers.delete(events);
  }

  problem(problem: TopicProblem): void {
    this.state = 'problem';
    this.currentProblem = problem;
    this.report((events) => events.problem(problem));
    this.wake();
  }

  stale(sinceMs: number | undefined): void {
    this.staleSinceMs = sinceMs;
    this.report((events) => events.stale(sinceMs));
    this.wake();
  }

  /** True until the first list or the first problem. */
  get isLoading(): boolean {
    return this.state === 'loading';
  }

  /** True while the first list is being read, and a part of it can be drawn. */
  get hasPart(): boolean {
    return this.state === 'loading' && this.isDrawnInPart && this.coming !== undefined;
  }

  /** True while the list is known, stale or not. */
  get isReady(): boolean {
    return this.state === 'ready';
  }

  /** True while the API refuses the list, or cannot give it. */
  get hasProblem(): boolean {
    return this.state === 'problem';
  }

  /** How many objects there are. */
  get size(): number {
    return this.objects.size;
  }

  /** Why the list cannot be read; undefined while it can. */
  get problemNow(): TopicProblem | undefined {
    return this.currentProblem;
  }

  /** Every object, as it is shown. */
  list(): Iterable<KubeObject> {
    return this.objects.values();
  }

  /** Calls the listener after every change; the result ends it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * What a client with this cursor does not have yet: undefined when nothing, a delta, a snapshot (no cursor, one of another
   * epoch, or one too old), or the problem. A client that got the problem has the cursor `problem`. While the first list is read, rows are
   * given in part, each time when twice as many are known; who got them has the cursor of {@link partCursor}.
   */
  since(cursor: string | undefined, nowMs: number): Extract<LiveFrame, { topic: string }> | undefined {
    if (this.state === 'loading') return this.hasPart && this.isNewPart(cursor) ? this.beginning(nowMs) : undefined;
    if (this.currentProblem !== undefined) {
      return cursor === PROBLEM_CURSOR
        ? undefined
        : { type: 'problem', topic: this.topic, problem: this.currentProblem };
    }
    const from = this.sequenceOf(cursor);
    if (from === this.sequence) return undefined;
    if (from === undefined || from < this.oldest()) return this.snapshot(nowMs);
    return this.delta(from, nowMs);
  }

  /** How many changes a client with this cursor does not have; 0 for a cursor that is none of this feed's. */
  changesSince(cursor: string | undefined): number {
    const from = this.sequenceOf(cursor);
    return from === undefined ? 0 : this.sequence - from;
  }

  /** The first hundred of many, without a cursor: enough to draw a page with, until the stream brings everything. */
  beginning(nowMs: number): SnapshotFrame {
    const ranked = [...this.objects.values()].map((object) => ({ object, rank: this.order(object) }));
    const first = ranked.sort((a, b) => a.rank - b.rank).slice(0, BEGINNING);
    const objects = first.map(({ object }) => object);
    const { size } = this.objects;
    return {
      type: 'snapshot',
      topic: this.topic,
      objects,
      ...(this.coming === undefined ? { total: size } : { total: this.coming, read: size }),
      nowMs,
    };
  }

  /** The cursor of a client that has the beginning. */
  get partCursor(): string | undefined {
    return this.hasPart ? `${this.epoch}.part.${this.objects.size}` : undefined;
  }

  private isNewPart(cursor: string | undefined): boolean {
    const prefix = `${this.epoch}.part.`;
    return cursor?.startsWith(prefix) !== true || this.objects.size >= 2 * Number(cursor.slice(prefix.length));
  }

  /** Everything, as one frame. */
  snapshot(nowMs: number): SnapshotFrame {
    return { type: 'snapshot', topic: this.topic, cursor: this.cursor(), objects: [...this.objects.values()], nowMs };
  }

  private delta(from: number, nowMs: number): Extract<LiveFrame, { type: 'delta' }> {
    const names = new Map<string, ObjectName>();
    for (const entry of this.journal.slice(this.journal.length - (this.sequence - from)))
      names.set(entry.key, entry.name);
    const changed: KubeObject[] = [];
    const deleted: ObjectName[] = [];
    for (const [key, name] of names) {
      const object = this.objects.get(key);
      if (object === undefined) deleted.push(name);
      else changed.push(object);
    }
    const last = deleted.length > 0 && this.last !== undefined ? { last: this.last } : {};
    return { type: 'delta', topic: this.topic, cursor: this.cursor(), changed, deleted, ...last, nowMs };
  }

  /** The object as it is shown; undefined when this version of it is known already. */
  private remember(object: KubeObject): KubeObject | undefined {
    const key = liveKey(object);
    const known = this.objects.get(key);
    const version = object.metadata.resourceVersion;
    if (known !== undefined && version !== undefined && known.metadata.resourceVersion === version) return undefined;
    const shown = this.present(object);
    this.objects.set(key, shown);
    this.last = undefined;
    this.record(key, object);
    return shown;
  }

  private shownOf(objects: readonly KubeObject[]): KubeObject[] {
    return objects.map((object) => this.objects.get(liveKey(object)) ?? object);
  }

  private forget(key: string, object: KubeObject): void {
    if (this.objects.delete(key)) this.record(key, object);
  }

  private record(key: string, object: KubeObject): void {
    const name = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
    this.sequence++;
    this.journal.push({ sequence: this.sequence, key, name });
    // Cut in large pieces, so that a change costs a constant time on average.
    if (this.journal.length > 2 * JOURNAL_LENGTH) this.journal = this.journal.slice(-JOURNAL_LENGTH);
  }

  private oldest(): number {
    return (this.journal[0]?.sequence ?? this.sequence + 1) - 1;
  }

  private cursor(): string {
    return `${this.epoch}.${this.sequence}`;
  }

  private sequenceOf(cursor: string | undefined): number | undefined {
    if (cursor === undefined || !cursor.startsWith(`${this.epoch}.`)) return undefined;
    const sequence = Number(cursor.slice(this.epoch.length + 1));
    return Number.isInteger(sequence) && sequence >= 0 && sequence <= this.sequence ? sequence : undefined;
  }

  private report(event: (events: FeedEvents) => void): void {
    for (const follower of [...this.followers]) event(follower);
  }

  private wake(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Where an object belongs in a list: smaller is earlier. */
export type RowOrder = (object: KubeObject) => number;

/** The cursor of a client that knows of a topic's problem. */
export const PROBLEM_CURSOR = 'problem';
