import type { Clock } from '@/lib/clock/clock';

/** So many tries a minute, of one address and of all together. */
const PER_ADDRESS = 10;
const OF_ALL = 120;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Bucket {
  /** Tries left; grows back evenly. */
  left: number;
  atMs: number;
}

/** Limits how often somebody may try to sign in. */
export class SignInLimit {
  private readonly byAddress = new Map<string, Bucket>();
  private readonly all: Bucket;

  constructor(private readonly clock: Clock) {
    this.all = { left: OF_ALL, atMs: clock.monotonic() };
  }

  /** Counts a try. @returns undefined when it may go on, else milliseconds until the next one may */
  waitMs(address: string): number | undefined {
    const nowMs = this.clock.monotonic();
    if (this.byAddress.size >= MOST_ADDRESSES) this.forgetFull(nowMs);
    const own = this.byAddress.get(address) ?? { left: PER_ADDRESS, atMs: nowMs };
    this.byAddress.set(address, own);
    refill(own, PER_ADDRESS, nowMs);
    refill(this.all, OF_ALL, nowMs);
    const waitMs = Math.max(untilOne(own, PER_ADDRESS), untilOne(this.all, OF_ALL));
    if (waitMs > 0) return waitMs;
    own.left -= 1;
    this.all.left -= 1;
    return undefined;
  }

  /** An address whose bucket is full again is as good as unknown. When all are in use, all are forgotten: `all` still limits. */
  private forgetFull(nowMs: number): void {
    for (const [address, bucket] of this.byAddress) {
      refill(bucket, PER_ADDRESS, nowMs);
      if (bucket.left >= PER_ADDRESS) this.byAddress.delete(address);
    }
    if (this.byAddress.size >= MOST_ADDRESSES) this.byAddress.clear();
  }
}

function refill(bucket: Bucket, most: number, nowMs: number): void {
  bucket.left = Math.min(most, bucket.left + ((nowMs - bucket.atMs) * most) / MINUTE_MS);
  bucket.atMs = nowMs;
}

function untilOne({ left }: Bucket, most: number): number {
  return left >= 1 ? 0 : ((1 - left) * MINUTE_MS) / most;
}
