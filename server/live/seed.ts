import { type Clock, sleep } from '@/lib/clock/clock';
import type { LiveFrame, LiveSeed } from '@/lib/live/frames';
import type { Topic } from '@/lib/live/topic';
import type { ReadFeed } from './read-feed';

/** How long a page waits for the first list of a topic before it is rendered without. */
const SEED_WAIT_MS = 2_000;
/** After this time a page is rendered with the part of a long list that is known, and without what it can do without. */
const SEED_PART_MS = 300;
/** A page is rendered with so many objects of a topic at most; rows alone may be fewer than there are. */
const SEED_MOST = 200;

/** A frame of one topic. */
export type TopicFrame = Extract<LiveFrame, { topic: string }>;

/** Where streams and rendered pages of one person get their topics: what this person may read, and nothing else. */
export interface FeedSource {
  /** Aborted when the process ends. */
  readonly closed: AbortSignal;
  /** When a client whose stream ends with `closed` may come back, in ms. */
  resumeAfterMs(): number;
  /** The feed of a topic, watched at least until `release` is called. */
  acquire(topic: Topic): { feed: ReadFeed; release: () => void };
  /** The state of each topic as frames, for a page that is rendered. */
  seed(topics: readonly Topic[], besides?: readonly Topic[]): Promise<LiveSeed>;
}

/**
 * The state of each topic as frames, for a page that is rendered. Left out are topics whose first list takes too long, and those
 * with very many objects; of very many rows the first are given. Topics `besides` are waited for only for a moment.
 */
export async function seedFrames(
  source: Pick<FeedSource, 'acquire'>,
  clock: Clock,
  wanted: { readonly needed: readonly Topic[]; readonly besides: readonly Topic[] },
): Promise<LiveSeed> {
  const acquire = (topic: Topic) => ({ topic, ...source.acquire(topic) });
  const [needed, helpful] = [wanted.needed.map(acquire), wanted.besides.map(acquire)];
  const acquired = [...needed, ...helpful];
  const feedsOf = (of: typeof acquired) => of.map(({ feed }) => feed);
  try {
    await Promise.all([
      whenLoaded(feedsOf(needed), clock, SEED_WAIT_MS),
      whenLoaded(feedsOf(helpful), clock, SEED_PART_MS),
    ]);
    const nowMs = clock.now();
    const frames = acquired.map(({ feed, topic }) => seedOf(feed, topic.view === 'rows', nowMs));
    return frames.filter((frame): frame is TopicFrame => frame !== undefined);
  } finally {
    for (const { release } of acquired) release();
  }
}

function seedOf(feed: ReadFeed, isRows: boolean, nowMs: number): TopicFrame | undefined {
  if (feed.size <= SEED_MOST) {
    return feed.since(undefined, nowMs) ?? (feed.isLoading ? undefined : feed.snapshot(nowMs));
  }
  return isRows ? feed.beginning(nowMs) : undefined;
}

async function whenLoaded(feeds: readonly ReadFeed[], clock: Clock, withinMs: number): Promise<void> {
  const waiting = feeds.filter((feed) => feed.isLoading);
  if (waiting.length === 0) return;
  const stop = new AbortController();
  const loaded = waiting.map((feed) => until(feed, () => !feed.isLoading));
  const timeout = sleep(clock, withinMs, stop.signal).catch(() => {});
  const drawable = sleep(clock, SEED_PART_MS, stop.signal)
    .catch(() => {})
    .then(() => Promise.all(waiting.map((feed) => until(feed, () => !feed.isLoading || feed.hasPart))));
  await Promise.race([Promise.all(loaded), timeout, drawable]);
  stop.abort();
}

/** Resolves when it is so, now or after a change of the feed. */
function until(feed: ReadFeed, isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = feed.onChange(() => {
      if (!isSo()) return;
      end();
      resolve();
    });
  });
}
