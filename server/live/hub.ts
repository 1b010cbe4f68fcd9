import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { LiveSeed } from '@/lib/live/frames';
import { formatTopic, type Topic, wholeOf } from '@/lib/live/topic';
import { type Random, randomInteger, randomUuid } from '@/lib/random/random';
import { Feed, type OpenFeed, type RowOrder } from './feed';
import { openPart } from './part-feed';
import { rowObject } from './row-object';
import { type FeedSource, seedFrames } from './seed';

/**
 * How long a topic is watched after its last reader has gone: a page that was rendered is followed by its stream, and going back to
 * the page before costs nothing. After that the API is asked nothing.
 */
const LINGER_MS = 15_000;
/** A list that takes seconds is not thrown away so soon: 10 ms more for each object above these, 8 minutes for 50,000. */
const LARGE = 1_000;
const LINGER_MS_PER_OBJECT = 10;
/** Clients of a server that is being stopped come back within this time. */
const RESUME_WITHIN_MS = 1_000;

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
export class LiveHub implements FeedSource {
  private readonly held = new Map<string, HeldFeed>();
  private readonly options: LiveHubOptions;
  private readonly closing = new AbortController();

  constructor(options: LiveHubOptions) {
    this.options = options;
    // Each open stream ends with the hub.
    setMaxListeners(0, this.closing.signal);
  }

  /** Aborted when the process ends: every open stream ends with it. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** When a client whose stream ends with {@link closed} may come back: not all at once, since they all go to the servers that are left. */
  resumeAfterMs(): number {
    return randomInteger(this.options.random, RESUME_WITHIN_MS);
  }

  /** Ends every stream, and those that are opened from now on; pages are still rendered. */
  endStreams(): void {
    this.closing.abort();
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

  /** What is watched now. */
  topics(): { readonly topic: string; readonly objects: number; readonly readers: number; readonly staleMs: number }[] {
    const nowMs = this.options.clock.now();
    return [...this.held.values()].map(({ feed, readers }) => {
      const { topic, size, staleSinceMs } = feed;
      return { topic, objects: size, readers, staleMs: staleSinceMs === undefined ? 0 : nowMs - staleSinceMs };
    });
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
  seed(topics: readonly Topic[], besides: readonly Topic[] = []): Promise<LiveSeed> {
    return seedFrames(this, this.options.clock, { needed: topics, besides });
  }

  /** Ends every watch and every stream. */
  close(): void {
    this.endStreams();
    for (const held of [...this.held.values()]) this.drop(held);
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

function extraLingerMs({ feed }: HeldFeed): number {
  return Math.max(0, feed.size - LARGE) * LINGER_MS_PER_OBJECT;
}
