import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';

const AGAIN = { floorMs: 100, ceilingMs: 400 } as const;
const TIMES = 2;
/** Who did not answer for so long will not answer better at once. */
const QUICK_MS = 1_000;

/**
 * An Api whose single reads are tried again at once, twice at the most, when they fail quickly and the server named no time: a
 * look at an Instance begins with a read, and one that fails costs it a pause of the back-off and all its reads again. An API
 * that is away sees three times the reads of each look, and the looks themselves come ever later.
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
