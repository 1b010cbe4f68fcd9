import { type Clock, sleep } from '@/lib/clock/clock';
import type { Api } from '@/server/kube/api';
import type { ReachableAddress } from './address';
import { isRegisteredAt } from './registration';

/** Longer than another controller needs for the lease and its registration, or a Service to hear that a pod ends. */
const HANDOVER_MS = 4_000;
const LOOK_MS = 250;

/** Resolves when the API server does not call this address any more, or after a while. Never fails. */
export async function handOver(api: Api, address: ReachableAddress, clock: Clock): Promise<void> {
  const stop = new AbortController();
  const late = sleep(clock, HANDOVER_MS, stop.signal).catch(() => undefined);
  // Nobody knows when the last proxy of a Service has heard of it.
  if (address.kind === 'service') return late;
  await Promise.race([late, untilReplaced(api, address, clock, stop.signal)]);
  stop.abort(new Error('It was handed over.'));
}

async function untilReplaced(api: Api, address: ReachableAddress, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isRegisteredAt(api, address).catch(() => true)))
    await sleep(clock, LOOK_MS, signal).catch(() => undefined);
}
