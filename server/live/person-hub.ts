import type { Clock, Timer } from '@/lib/clock/clock';
import type { LiveSeed } from '@/lib/live/frames';
import { formatTopic, type Topic } from '@/lib/live/topic';
import { type Random, randomUuid } from '@/lib/random/random';
import type { RowOrder } from './feed';
import type { LiveHub } from './hub';
import type { ReadFeed } from './read-feed';
import type { ReadRights } from './read-rights';
import { ReadableFeed } from './readable-feed';
import { type FeedSource, seedFrames } from './seed';

/** As long as the topics of the shared hub: a page that was rendered is followed by its stream. */
const LINGER_MS = 15_000;

export interface PersonHubOptions {
  readonly rights: ReadRights;
  /** What the console's own account reads, once for all persons. */
  readonly shared: LiveHub;
  /** The topics with the person's own authority; made when the first one is needed. */
  readonly openPersonal: () => LiveHub;
  readonly clock: Clock;
  readonly random: Random;
  readonly order?: RowOrder;
}

interface HeldFeed {
  readonly feed: ReadableFeed;
  readers: number;
  linger: Timer | undefined;
}

/** The topics of one person, for all of their pages and streams: the shared topics, filtered by what this person may read. */
export class PersonHub implements FeedSource {
  private readonly held = new Map<string, HeldFeed>();
  private ownHub: LiveHub | undefined;

  constructor(private readonly options: PersonHubOptions) {}

  get closed(): AbortSignal {
    return this.options.shared.closed;
  }

  resumeAfterMs(): number {
    return this.options.shared.resumeAfterMs();
  }

  /** True while nobody reads anything, and nothing lingers. */
  get isIdle(): boolean {
    return this.held.size === 0;
  }

  acquire(topic: Topic): { feed: ReadFeed; release: () => void } {
    const key = formatTopic(topic);
    const held = this.held.get(key) ?? this.hold(key, topic);
    held.linger?.cancel();
    held.linger = undefined;
    held.readers++;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      held.readers--;
      if (held.readers === 0) held.linger = this.options.clock.after(LINGER_MS, () => this.drop(key, held));
    };
    return { feed: held.feed, release };
  }

  seed(topics: readonly Topic[], besides: readonly Topic[] = []): Promise<LiveSeed> {
    return seedFrames(this, this.options.clock, { needed: topics, besides });
  }

  /** Asks at once for the topics that the API server refused to this person's own authority. */
  askRefusedAgain(): void {
    this.ownHub?.askRefusedAgain();
  }

  close(): void {
    for (const [key, held] of [...this.held]) this.drop(key, held);
  }

  private hold(key: string, topic: Topic): HeldFeed {
    const { rights, shared, clock, random, order } = this.options;
    const feed = new ReadableFeed({
      topic,
      key,
      rights,
      shared: (wanted) => shared.acquire(wanted),
      personal: (wanted) => this.personal().acquire(wanted),
      clock,
      epoch: () => randomUuid(random).slice(0, 8),
      order,
    });
    const held: HeldFeed = { feed, readers: 0, linger: undefined };
    this.held.set(key, held);
    return held;
  }

  private personal(): LiveHub {
    this.ownHub ??= this.options.openPersonal();
    return this.ownHub;
  }

  private drop(key: string, held: HeldFeed): void {
    if (this.held.get(key) !== held) return;
    held.linger?.cancel();
    held.feed.close();
    this.held.delete(key);
    if (this.held.size > 0) return;
    this.ownHub?.close();
    this.ownHub = undefined;
  }
}
