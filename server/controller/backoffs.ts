import type { Random } from '@/lib/random/random';
import { backoffMs } from '@/server/kube/backoff';

const PAUSE = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** After so many conflicts in a row the key backs off. */
const MAX_CONFLICTS = 5;

/** How often in a row each key failed, met a conflict, or moved nothing, and how long it waits for that. */
export class Backoffs {
  /** Reconciles in a row without progress, and failures in a row, by key. */
  private readonly idle = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  /** Conflicts in a row; they do not lengthen the back-off of failures. */
  private readonly conflicts = new Map<string, number>();

  constructor(private readonly random: Random) {}

  /** The key moved, or was changed by somebody. */
  moved(key: string): void {
    this.idle.delete(key);
  }

  /** The key did what it had to do. */
  succeeded(key: string): void {
    this.failures.delete(key);
    this.conflicts.delete(key);
  }

  /** How long a key waits that moved nothing, in ms. */
  afterIdleMs(key: string): number {
    return this.next(key, this.idle);
  }

  /** How long a key waits that failed, in ms. */
  afterFailureMs(key: string): number {
    return this.next(key, this.failures);
  }

  /** True when the key is reconciled again at once after a conflict; too many in a row count as a failure. */
  mayRepeat(key: string): boolean {
    const count = (this.conflicts.get(key) ?? 0) + 1;
    if (count > MAX_CONFLICTS) return false;
    this.conflicts.set(key, count);
    return true;
  }

  private next(key: string, counts: Map<string, number>): number {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return backoffMs(count, PAUSE, this.random);
  }
}
