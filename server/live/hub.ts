import type { Clock, Timer } from '@/lib/clock/clock';
import { sleep } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { LiveFrame, LiveSeed } from '@/lib/live/frames';
import { formatTopic, type Topic, wholeOf } from '@/lib/live/topic';
import { type Random, randomUuid } from '@/lib/random/random';
import { Feed, type OpenFeed, type RowOrder } from './feed';
import { openPart } from './part-feed';
import { rowObject } from './row-object';

/**
 * How long a topic is watched after its last reader has gone: a page that was rendered is followed by its stream, and going back to
 * the page before costs nothing. After that the API is asked nothing.
 */
const LINGER_MS = 15_000;
/** A list that takes seconds is not thrown away so soon: 10 ms more for each object above these, 8 minutes for 50,000. */
const LARGE = 1_000;
const LINGER_MS_PER_OBJECT = 10;
/** How long a page waits for the first list of a topic before it is rendered without. */
const SEED_WAIT_MS = 2_000;
/** After this time a page is rendered with the part of a long list that is known, and without what it can do without. */
const SEED_PART_MS = 300;
/** A page is rendered with so many objects of a topic at most; rows alone may be fewer than there are. */
const SEED_MOST = 200;

interface HeldFeed {
  readonly feed: Feed;
  readonly topic: Topic;
  close: () => void;
  readers: number;
  linger: Timer | undefined;
}

export interface LiveHubOptions {
  /** Opens the watch of a topic with the authority of the hub. */
  readonly open: (topic: Topic) => OpenFeed;
  /** Which rows come first when a page is rendered with the first of many: smaller is earlier. */
  readonly order?: RowOrder;
  /** What is shown of an object: without secrets and noise. */
  readonly present: (object: KubeObject) => KubeObject;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The watched topics of one authority. However many browsers read it, each topic is one watch at the API.
 */
export class LiveHub {
  private readonly held = new Map<string, HeldFeed>();
  private readonly options: LiveHubOptions;
  private readonly closing = new AbortController();

  constructor(options: LiveHubOptions) {
    this.options = options;
  }

  /** Aborted when the process ends: every open stream ends with it. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** True while somebody reads a topic, or just did. */
  get isRead(): boolean {
    return this.held.size > 0;
  }

  /** The feed of a topic, watched at least until `release` is called. What the API refused before is asked for again at once. */
  acquire(topic: Topic): { feed: Feed; release: () => void } {
    const held = this.addReader(topic);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      this.removeReader(held, LINGER_MS + extraLingerMs(held));
    };
    return { feed: held.feed, release };
  }

  /** Asks at once for every topic that the API refused: a person has just granted rights or installed CRDs. */
  askRefusedAgain(): void {
    for (const held of [...this.held.values()]) this.askAgain(held);
  }

  /**
   * The state of each topic as frames, for a page that is rendered. Left out are topics whose first list takes too long, and those
   * with very many objects; of very many rows the first are given.
   *
   * @param besides topics that the page can do without at first: they are waited for only for a moment
   */
  async seed(topics: readonly Topic[], besides: readonly Topic[] = []): Promise<LiveSeed> {
    const acquire = (topic: Topic) => ({ topic, ...this.acquire(topic) });
    const [needed, helpful] = [topics.map(acquire), besides.map(acquire)];
    const acquired = [...needed, ...helpful];
    try {
      const loaded = (of: typeof acquired, withinMs: number) =>
        this.whenLoaded(
          of.map(({ feed }) => feed),
          withinMs,
        );
      await Promise.all([loaded(needed, SEED_WAIT_MS), loaded(helpful, SEED_PART_MS)]);
      const nowMs = this.options.clock.now();
      const frames = acquired.map(({ feed, topic }) => this.seedOf(feed, topic.view === 'rows', nowMs));
      return frames.filter((frame): frame is NonNullable<typeof frame> => frame !== undefined);
    } finally {
      for (const { release } of acquired) release();
    }
  }

  /** Ends every watch and every stream. */
  close(): void {
    this.closing.abort();
    for (const held of [...this.held.values()]) this.drop(held);
  }

  private seedOf(feed: Feed, isRows: boolean, nowMs: number): TopicFrame | undefined {
    if (feed.size <= SEED_MOST) {
      return feed.since(undefined, nowMs) ?? (feed.isLoading ? undefined : feed.snapshot(nowMs));
    }
    return isRows ? feed.beginning(nowMs) : undefined;
  }

  private async whenLoaded(feeds: readonly Feed[], withinMs: number): Promise<void> {
    const waiting = feeds.filter((feed) => feed.isLoading);
    if (waiting.length === 0) return;
    const stop = new AbortController();
    const loaded = waiting.map((feed) => until(feed, () => !feed.isLoading));
    const { clock } = this.options;
    const timeout = sleep(clock, withinMs, stop.signal).catch(() => {});
    const drawable = sleep(clock, SEED_PART_MS, stop.signal)
      .catch(() => {})
      .then(() => Promise.all(waiting.map((feed) => until(feed, () => !feed.isLoading || feed.hasPart))));
    await Promise.race([Promise.all(loaded), timeout, drawable]);
    stop.abort();
  }

  private hold(topic: Topic): HeldFeed {
    const key = formatTopic(topic);
    const known = this.held.get(key);
    if (known !== undefined) return known;
    const present = this.presentOf(topic);
    const feed = new Feed(key, randomUuid(this.options.random).slice(0, 8), present, this.options.order);
    const close = this.openFeed(topic)(feed);
    const held: HeldFeed = { feed, topic, close, readers: 0, linger: undefined };
    this.held.set(key, held);
    return held;
  }

  private presentOf(topic: Topic): (object: KubeObject) => KubeObject {
    const { present } = this.options;
    // The parts get what the whole shows: secrets are masked there.
    if (wholeOf(topic) !== undefined) return (object) => object;
    return topic.view === 'rows' ? (object) => rowObject(present(object)) : present;
  }

  /** A part has no watch of its own: the whole is asked for. The feed keeps the problem until there is another answer. */
  private askAgain(held: HeldFeed): void {
    if (!held.feed.hasProblem) return;
    const whole = wholeOf(held.topic);
    if (whole !== undefined) {
      const of = this.held.get(formatTopic(whole));
      if (of !== undefined) this.askAgain(of);
      return;
    }
    held.close();
    held.close = this.options.open(held.topic)(held.feed);
  }

  /** A part of another topic is fed by that one, which is watched as long as the part is. */
  private openFeed(topic: Topic): OpenFeed {
    const whole = wholeOf(topic);
    if (whole === undefined) return this.options.open(topic);
    return (events) => {
      const held = this.addReader(whole);
      const stop = openPart(topic, held.feed)(events);
      return () => {
        stop();
        // The part has lingered already.
        this.removeReader(held, extraLingerMs(held));
      };
    };
  }

  private addReader(topic: Topic): HeldFeed {
    const held = this.hold(topic);
    this.askAgain(held);
    held.linger?.cancel();
    held.linger = undefined;
    held.readers++;
    return held;
  }

  private removeReader(held: HeldFeed, lingerMs: number): void {
    held.readers--;
    if (held.readers > 0) return;
    if (held.feed.isReady && lingerMs > 0) held.linger = this.options.clock.after(lingerMs, () => this.drop(held));
    else this.drop(held);
  }

  private drop(held: HeldFeed): void {
    if (this.held.get(held.feed.topic) !== held) return;
    held.linger?.cancel();
    held.close();
    this.held.delete(held.feed.topic);
  }
}

/** Resolves when it is so, now or after a change of the feed. */
function until(feed: Feed, isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = feed.onChange(() => {
      if (!isSo()) return;
      end();
      resolve();
    });
  });
}

function extraLingerMs({ feed }: HeldFeed): number {
  return Math.max(0, feed.size - LARGE) * LINGER_MS_PER_OBJECT;
}

/** A frame of one topic. */
export type TopicFrame = Extract<LiveFrame, { topic: string }>;
