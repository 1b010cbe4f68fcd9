import type { Clock, Timer } from '@/lib/clock/clock';
import { sleep } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { LiveFrame, LiveSeed } from '@/lib/live/frames';
import { formatTopic, type Topic } from '@/lib/live/topic';
import { type Random, randomUuid } from '@/lib/random/random';
import { Feed, type OpenFeed } from './feed';

/** How long a topic is watched after its last reader has gone: going back and forth between pages costs nothing. */
const LINGER_MS = 120_000;
/** How long a page waits for the first list of a topic before it is rendered without. */
const SEED_WAIT_MS = 2_000;

interface HeldFeed {
  readonly feed: Feed;
  readonly close: () => void;
  readers: number;
  linger: Timer | undefined;
}

export interface LiveHubOptions {
  /** Opens the watch of a topic with the authority that the hub stands for. */
  readonly open: (topic: Topic) => OpenFeed;
  /** What is shown of an object: without secrets and noise. */
  readonly present: (object: KubeObject) => KubeObject;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The watched topics of one authority. However many browsers look, each topic is one watch at the API.
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

  /** The feed of a topic, watched at least until `release` is called. */
  acquire(topic: Topic): { feed: Feed; release: () => void } {
    const held = this.hold(topic);
    held.linger?.cancel();
    held.linger = undefined;
    held.readers++;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      held.readers--;
      if (held.readers === 0) held.linger = this.options.clock.after(LINGER_MS, () => this.drop(held));
    };
    return { feed: held.feed, release };
  }

  /** The state of each topic as frames; a topic whose first list takes too long is left out. */
  async seed(topics: readonly Topic[]): Promise<LiveSeed> {
    const acquired = topics.map((topic) => this.acquire(topic));
    try {
      await this.whenLoaded(acquired.map(({ feed }) => feed));
      const nowMs = this.options.clock.now();
      const frames = acquired.map(
        ({ feed }) => feed.since(undefined, nowMs) ?? (feed.isLoading ? undefined : feed.snapshot(nowMs)),
      );
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

  private async whenLoaded(feeds: readonly Feed[]): Promise<void> {
    const waiting = feeds.filter((feed) => feed.isLoading);
    if (waiting.length === 0) return;
    const stop = new AbortController();
    const loaded = waiting.map(
      (feed) =>
        new Promise<void>((resolve) => {
          const end = feed.onChange(() => {
            if (feed.isLoading) return;
            end();
            resolve();
          });
        }),
    );
    const timeout = sleep(this.options.clock, SEED_WAIT_MS, stop.signal).catch(() => {});
    await Promise.race([Promise.all(loaded), timeout]);
    stop.abort();
  }

  private hold(topic: Topic): HeldFeed {
    const key = formatTopic(topic);
    const known = this.held.get(key);
    if (known !== undefined) return known;
    const feed = new Feed(key, randomUuid(this.options.random).slice(0, 8), this.options.present);
    const close = this.options.open(topic)(feed);
    const held: HeldFeed = { feed, close, readers: 0, linger: undefined };
    this.held.set(key, held);
    return held;
  }

  private drop(held: HeldFeed): void {
    held.linger?.cancel();
    held.close();
    this.held.delete(held.feed.topic);
  }
}

/** A frame of one topic. */
export type TopicFrame = Extract<LiveFrame, { topic: string }>;
