import type { Random } from '@/lib/random/random';
import { backoffMs } from '@/server/kube/backoff';

const PAUSE = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** After so many conflicts in a row the key backs off. */
const MAX_CONFLICTS = 5;

/** How often Instances (`namespace/name`) were reconciled without progress, and how long each waits for the next time. */
export class Retries {
  /** Reconciles in a row without progress, and failures in a row. */
  private readonly idle = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  /** Conflicts in a row; they do not lengthen the back-off of failures. */
  private readonly conflicts = new Map<string, number>();

  constructor(private readonly random: Random) {}

  /** Something changed: the next reconcile without progress is the first one again. */
  moved(key: string): void {
    this.idle.delete(key);
  }

  succeeded(key: string): void {
    this.failures.delete(key);
    this.conflicts.delete(key);
  }

  /** Counts a reconcile without progress. Returns milliseconds. */
  idleDelayMs(key: string): number {
    return this.delayOf(key, this.idle);
  }

  /** Counts a failure. Returns milliseconds. */
  failureDelayMs(key: string): number {
    return this.delayOf(key, this.failures);
  }

  /** Counts a conflict, unless there were too many in a row: false then, and the key has to back off. */
  takeConflict(key: string): boolean {
    const count = (this.conflicts.get(key) ?? 0) + 1;
    if (count > MAX_CONFLICTS) return false;
    this.conflicts.set(key, count);
    return true;
  }

  private delayOf(key: string, counts: Map<string, number>): number {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return backoffMs(count, PAUSE, this.random);
  }
}
