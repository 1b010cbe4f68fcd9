import { sleep } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { backoffMs } from '@/server/kube/backoff';
import type { ReconcilerDeps } from './reconciler-deps';
import { sweepRecords } from './sweep-records';
import { sweepRuns } from './sweep-runs';

const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/**
 * A leader that was frozen during a write finishes it when it wakes up, however late: the creation of a Secret is not guarded by a
 * resourceVersion. So one sweep at the beginning is not enough.
 */
export const SWEEP_EVERY_MS = 300_000;
/**
 * What was left because its run seems to be under way is checked sooner: a new leader may know an Instance from a watch
 * that was cut off before the end of its run.
 */
export const SWEEP_AGAIN_MS = 60_000;

/**
 * Removes what runs remembered that are over, while this controller leads: at once, and every five minutes; every minute while
 * something was left.
 */
export class RunSweeper {
  private leading: AbortController | undefined;

  /** @param deps of the term that begins: a sweep of an earlier one removes nothing more */
  start(deps: ReconcilerDeps): void {
    this.stop();
    const leading = new AbortController();
    this.leading = leading;
    this.go(deps, leading.signal).catch(() => undefined);
  }

  stop(): void {
    this.leading?.abort();
    this.leading = undefined;
  }

  /** @throws when it is stopped */
  private async go(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = deps;
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      let nextMs = SWEEP_EVERY_MS;
      try {
        if ((await sweepRuns(deps)) > 0) nextMs = SWEEP_AGAIN_MS;
        await sweepRecords(deps);
        failures = 0;
      } catch (error) {
        // A new leader comes up when the network is at its worst: tried until it was done.
        failures += 1;
        nextMs = backoffMs(failures, RETRY, random);
        if (!signal.aborted) log.warn('runs.not-swept', { problem: messageOf(error) });
      }
      await sleep(clock, nextMs, signal);
    }
  }
}
