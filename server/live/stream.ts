import type { Clock, Timer } from '@/lib/clock/clock';
import type { ControllerWord, LiveFrame } from '@/lib/live/frames';
import type { Topic } from '@/lib/live/topic';
import type { StreamMetrics } from '@/server/metrics/stream-metrics';
import { PROBLEM_CURSOR } from './feed';
import type { ReadFeed } from './read-feed';
import type { FeedSource, TopicFrame } from './seed';

/** What a browser asks for: topics, each with the last cursor it saw. */
export interface Subscription {
  readonly topic: Topic;
  readonly cursor: string | undefined;
}

interface Followed {
  readonly feed: ReadFeed;
  readonly release: () => void;
  cursor: string | undefined;
  /** The staleness that was sent last; a client that comes back may have got another one from the stream before. */
  staleSinceMs: number | undefined | 'not sent';
}

/** Changes that fall into one window go out together. */
const WINDOW_MS = 50;
/** Something is sent at least this often, so that both ends notice a dead connection. */
const TICK_MS = 15_000;
/** A stream ends after this time; the browser comes back with its cursors. Bounds what a leak could cost. */
const MAX_AGE_MS = 5 * 60_000;

export interface LiveStreamOptions {
  readonly hub: FeedSource;
  readonly subscriptions: readonly Subscription[];
  readonly version: string;
  /** As whom `hub` reads: server/auth/view-mark. */
  readonly view: string;
  readonly clock: Clock;
  readonly controllerState: () => ControllerWord;
  /** Counts and times what is sent; absent where nobody measures. */
  readonly metrics?: StreamMetrics;
  /** The request's own signal. */
  readonly signal: AbortSignal;
}

/**
 * The body of `/api/live`. Frames are made only when the reader asks for more (`pull`), from the cursors alone: a
 * reader that pauses costs nothing and later gets the newest state of each object once.
 *
 * Ends by: the request's abort, the reader's cancel, the hub's end, its age. All lead to one `end`.
 */
export function openLiveStream(options: LiveStreamOptions): ReadableStream<Uint8Array> {
  const connection = new StreamConnection(options);
  return new ReadableStream<Uint8Array>({
    start: () => connection.start(),
    pull: (controller) => connection.pull(controller),
    cancel: () => connection.end(),
  });
}

class StreamConnection {
  private readonly followed: Followed[] = [];
  private readonly stops: (() => void)[] = [];
  private readonly timers: Timer[] = [];
  private readonly encoder = new TextEncoder();
  private readonly options: LiveStreamOptions;
  private wakeUp: (() => void) | undefined;
  private ended = false;
  /** Set when the server ends the stream because it is being stopped. */
  private resumeAfterMs: number | undefined;
  private greeted = false;
  private sentController: ControllerWord | undefined;
  private lastFlushMs = Number.NEGATIVE_INFINITY;
  private lastSentMs = 0;
  /** When the first change came that is not sent yet; monotonic. */
  private changedAtMs: number | undefined;

  constructor(options: LiveStreamOptions) {
    this.options = options;
  }

  start(): void {
    const { hub, subscriptions, signal, clock } = this.options;
    for (const { topic, cursor } of subscriptions) {
      const { feed, release } = hub.acquire(topic);
      this.followed.push({ feed, release, cursor, staleSinceMs: cursor === undefined ? undefined : 'not sent' });
      this.stops.push(
        feed.onChange(() => {
          this.changedAtMs ??= clock.monotonic();
          this.wake();
        }),
      );
    }
    if (this.options.metrics !== undefined) this.stops.push(this.options.metrics.opened());
    const end = () => this.end();
    signal.addEventListener('abort', end, { once: true });
    const resume = () => {
      this.resumeAfterMs = hub.resumeAfterMs();
      this.end();
    };
    hub.closed.addEventListener('abort', resume, { once: true });
    this.stops.push(() => hub.closed.removeEventListener('abort', resume));
    this.timers.push(clock.after(MAX_AGE_MS, end));
    if (hub.closed.aborted) resume();
    if (signal.aborted) end();
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      if (this.ended) {
        const { resumeAfterMs: afterMs } = this;
        if (afterMs !== undefined) controller.enqueue(this.encoder.encode(encodeFrame({ type: 'resume', afterMs })));
        controller.close();
        return;
      }
      const frames = this.collect();
      if (frames.length > 0) {
        this.lastFlushMs = this.options.clock.monotonic();
        this.lastSentMs = this.lastFlushMs;
        if (this.changedAtMs !== undefined) this.options.metrics?.sent(this.lastFlushMs - this.changedAtMs);
        this.changedAtMs = undefined;
        controller.enqueue(this.encoder.encode(frames.map(encodeFrame).join('')));
        return;
      }
      await this.untilSomethingHappens();
    }
  }

  /** Idempotent. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const stop of this.stops) stop();
    for (const timer of this.timers) timer.cancel();
    for (const { release } of this.followed) release();
    this.wake();
  }

  private collect(): LiveFrame[] {
    const nowMs = this.options.clock.now();
    const frames: LiveFrame[] = [];
    if (!this.greeted) {
      this.greeted = true;
      const { version, view } = this.options;
      frames.push({ type: 'hello', version, nowMs, view });
    }
    const controller = this.options.controllerState();
    if (controller !== this.sentController) frames.push({ type: 'controller', state: controller });
    this.sentController = controller;
    for (const each of this.followed) frames.push(...framesOf(each, nowMs, this.options.metrics));
    if (frames.length === 0 && this.options.clock.monotonic() - this.lastSentMs >= TICK_MS) {
      frames.push({ type: 'tick', nowMs });
    }
    return frames;
  }

  /** Resolves on a change (after the window since the last flush), on the next tick, and at the end. */
  private async untilSomethingHappens(): Promise<void> {
    const { clock } = this.options;
    const tickInMs = Math.max(0, TICK_MS - (clock.monotonic() - this.lastSentMs));
    await this.waitAtMost(tickInMs);
    const windowLeftMs = WINDOW_MS - (clock.monotonic() - this.lastFlushMs);
    if (!this.ended && windowLeftMs > 0) await new Promise<void>((resolve) => clock.after(windowLeftMs, resolve));
  }

  private waitAtMost(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.options.clock.after(durationMs, () => this.wake());
      this.wakeUp = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  private wake(): void {
    const wakeUp = this.wakeUp;
    this.wakeUp = undefined;
    wakeUp?.();
  }
}

function framesOf(followed: Followed, nowMs: number, metrics: StreamMetrics | undefined): LiveFrame[] {
  const frames: LiveFrame[] = [];
  const frame = followed.feed.since(followed.cursor, nowMs);
  if (frame !== undefined) {
    if (metrics !== undefined) measure(metrics, frame, followed);
    followed.cursor = cursorAfter(frame, followed.feed);
    frames.push(frame);
  }
  const { staleSinceMs, isLoading } = followed.feed;
  // A topic that is not read yet is neither old nor new: a client that knows it as stale keeps that until it is read.
  const isKnown = staleSinceMs !== undefined || !isLoading;
  if (staleSinceMs !== followed.staleSinceMs && (isKnown || followed.staleSinceMs !== 'not sent')) {
    followed.staleSinceMs = staleSinceMs;
    frames.push({ type: 'stale', topic: followed.feed.topic, sinceMs: followed.staleSinceMs });
  }
  return frames;
}

/** Changes that a newer one of the same object replaced, and a reader that comes back too late for all of them. */
function measure(metrics: StreamMetrics, frame: TopicFrame, { feed, cursor }: Followed): void {
  if (frame.type === 'delta') {
    metrics.coalescedChanges(feed.changesSince(cursor) - frame.changed.length - frame.deleted.length);
  } else if (frame.type === 'snapshot' && feed.changesSince(cursor) > 0) metrics.sentAgain();
}

function cursorAfter(frame: TopicFrame, feed: ReadFeed): string | undefined {
  if (frame.type === 'problem') return PROBLEM_CURSOR;
  return ('cursor' in frame ? frame.cursor : undefined) ?? feed.partCursor;
}

function encodeFrame(frame: LiveFrame): string {
  // A client that knows no such frame waits as long before it reconnects by itself.
  const retry = frame.type === 'resume' ? `retry: ${frame.afterMs}\n` : '';
  return `${retry}event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`;
}
