import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';

const AGAIN = { floorMs: 100, ceilingMs: 400 } as const;
const TIMES = 2;
/** After a read that took so long an immediate retry would not help. */
const QUICK_MS = 1_000;

/**
 * An Api whose single reads are retried at once, at most twice, when they fail quickly and the server sent no Retry-After: a
 * reconcile begins with a read, and a failed read costs the whole back-off and every read again. An API server that is down gets
 * three times the reads of each reconcile, and reconciles themselves back off.
 */
export function steadyReads(api: Api, { clock, random }: { clock: Clock; random: Random }): Api {
  return {
    ...api,
    async get(target, options) {
      for (let failures = 1; ; failures++) {
        const sentMs = clock.monotonic();
        try {
          return await api.get(target, options);
        } catch (error) {
          const isBlip = error instanceof TransientError && error.retryAfterMs === undefined;
          if (!isBlip || failures > TIMES || clock.monotonic() - sentMs > QUICK_MS) throw error;
        }
        await sleep(clock, backoffMs(failures, AGAIN, random));
      }
    },
  };
}
