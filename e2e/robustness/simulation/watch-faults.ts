import { type Clock, sleep } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';
import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { FaultRate } from './fault-rate';
import { hang } from './requests';

interface WatchFaultOptions {
  readonly faultRate: FaultRate;
  readonly random: Random;
  readonly clock: Clock;
  /** Faults that are left out; other names have no effect here. */
  readonly without?: readonly string[];
}

/** What can happen to an open watch after some of its chunks. */
const KINDS = ['cut', 'cut-in-a-line', 'ended', 'expired', 'stalled', 'late'] as const;
export type WatchFault = (typeof KINDS)[number];

const EXPIRED = `${JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    message: 'simulated: too old resource version',
    code: 410,
  },
})}\n`;

/** An answer to a watch that may fail later. Deterministic for a given Random. */
export function watchFault(
  request: RawRequest,
  response: RawResponse,
  { random, faultRate, clock, without = [] }: WatchFaultOptions,
): RawResponse {
  if (response.status !== 200 || faultRate.percent === 0) return response;
  if (randomInteger(random, 100) >= faultRate.percent) return response;
  const kinds = KINDS.filter((each) => !without.includes(each));
  const kind = kinds[randomInteger(random, kinds.length)] ?? 'cut';
  const chunks = randomInteger(random, 6);
  const lateMs = () => 100 + randomInteger(random, 8_000);
  return { ...response, body: broken(response.body, { kind, chunks, lateMs, clock, request }) };
}

export interface Break {
  readonly kind: WatchFault;
  /** How many chunks arrive before the fault. */
  readonly chunks: number;
  readonly lateMs: () => number;
  readonly clock: Clock;
  readonly request: RawRequest;
}

/** The chunks of an open watch, with the fault after some of them. */
export async function* broken(body: AsyncIterable<Uint8Array>, { kind, chunks, lateMs, clock, request }: Break) {
  let seen = 0;
  for await (const chunk of body) {
    if (seen++ < chunks) {
      yield chunk;
      continue;
    }
    // The connection stays open, but everything that the server sends is lost.
    if (kind === 'stalled') continue;
    if (kind === 'late') {
      // A client that has given up receives nothing more, whatever is still on its way.
      await sleep(clock, lateMs(), request.signal);
      yield chunk;
      continue;
    }
    if (kind === 'ended') return;
    if (kind === 'expired') {
      yield Buffer.from(EXPIRED);
      return;
    }
    if (kind === 'cut-in-a-line') yield chunk.subarray(0, chunk.length >> 1);
    throw Object.assign(new Error('simulated: the watch was cut'), { code: 'ECONNRESET' });
  }
  if (kind === 'stalled') await hang(request);
}
