import type { Clock, Timer } from '@/lib/clock/clock';

/** Reviews of one person: a burst of 20, and then 20 a second, so that 1,000 namespaces do not burden the API server. */
const BURST = 20;
const PER_SECOND = 20;
const STEP_MS = 1_000 / PER_SECOND;
/** A review that fails is asked for again after 1 s, and after twice as long each time up to a minute. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** While reviews fail the last answer is believed for so long. After that nothing is known. */
const BELIEVED_MS = 5 * 60_000;

/** A question about a person's rights, with its last answer. */
export class Review<T> {
  /** Undefined: not known (any more). */
  value: T | undefined;
  /** Somebody looked at it since the last refresh. */
  isUsed = true;
  failures = 0;
  answeredAtMs = 0;
  /** Monotonic milliseconds of the last question. */
  askedAtMs = Number.NEGATIVE_INFINITY;
  retry: Timer | undefined;

  /** @param ask throws while the API does not answer */
  constructor(readonly ask: () => Promise<T>) {}
}

/**
 * Asks reviews in their order, those without an answer first, and not more than 20 a second. A review is in the queue once, and is
 * not asked twice at a time; one that is added while it is being asked is asked again afterwards.
 */
export class ReviewQueue {
  private readonly first = new Set<Review<unknown>>();
  private readonly again = new Set<Review<unknown>>();
  private readonly asking = new Set<Review<unknown>>();
  private tokens = BURST;
  private filledAtMs: number;
  private timer: Timer | undefined;
  private isClosed = false;

  /** @param onAnswer called when the answer differs from the one before */
  constructor(
    private readonly clock: Clock,
    private readonly onAnswer: () => void,
  ) {
    this.filledAtMs = clock.monotonic();
  }

  add(review: Review<unknown>): void {
    if (this.isClosed) return;
    review.retry?.cancel();
    (review.value === undefined ? this.first : this.again).add(review);
    this.pump();
  }

  remove(review: Review<unknown>): void {
    review.retry?.cancel();
    this.first.delete(review);
    this.again.delete(review);
  }

  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
    this.first.clear();
    this.again.clear();
  }

  private pump(): void {
    this.fill();
    for (const queue of [this.first, this.again]) {
      for (const review of queue) {
        if (this.asking.has(review)) continue;
        if (this.tokens < 1) {
          this.pumpLater();
          return;
        }
        this.tokens--;
        queue.delete(review);
        void this.ask(review);
      }
    }
  }

  private pumpLater(): void {
    this.timer?.cancel();
    this.timer = this.clock.after(STEP_MS, () => this.pump());
  }

  private fill(): void {
    const nowMs = this.clock.monotonic();
    this.tokens = Math.min(BURST, this.tokens + (nowMs - this.filledAtMs) / STEP_MS);
    this.filledAtMs = nowMs;
  }

  private async ask(review: Review<unknown>): Promise<void> {
    this.asking.add(review);
    review.askedAtMs = this.clock.monotonic();
    const before = review.value;
    try {
      review.value = await review.ask();
      review.failures = 0;
      review.answeredAtMs = this.clock.monotonic();
    } catch {
      this.failed(review);
    }
    this.asking.delete(review);
    if (this.isClosed) return;
    if (JSON.stringify(before) !== JSON.stringify(review.value)) this.onAnswer();
    this.pump();
  }

  private failed(review: Review<unknown>): void {
    if (this.clock.monotonic() - review.answeredAtMs > BELIEVED_MS) review.value = undefined;
    const retryMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** review.failures);
    review.failures++;
    if (!this.isClosed) review.retry = this.clock.after(retryMs, () => this.add(review));
  }
}
