import { sleep } from '@/lib/clock/clock';
import { randomInteger } from '@/lib/random/random';
import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import { openFaulty } from './exec-faults';
import type { CallFault, FaultOptions } from './fault-options';
import { hang, isWatch, simulatedStatus } from './requests';
import { watchFault } from './watch-faults';

const READ_FAULTS: readonly CallFault[] = [
  'throttled',
  'failed',
  'unavailable',
  'reset-before',
  'response-lost',
  'response-cut',
  'hang',
  'slow',
];
const WRITE_FAULTS: readonly CallFault[] = ['conflict', ...READ_FAULTS];
const WATCH_FAULTS: readonly CallFault[] = ['failed', 'unavailable', 'reset-before', 'throttled', 'gone'];

/** A transport whose requests fail at the fault rate, as networks and servers do. Deterministic for a given Random. */
export function faultyTransport(inner: Transport, options: FaultOptions): Transport {
  return {
    ...inner,
    request: (request) => send(inner, request, draw(request, options), options),
    openSocket: (request) => openFaulty(inner, request, options),
  };
}

async function send(
  inner: Transport,
  request: RawRequest,
  fault: CallFault,
  options: FaultOptions,
): Promise<RawResponse> {
  switch (fault) {
    case 'none':
    case 'slow':
      if (fault === 'slow') await sleep(options.clock, 200 + randomInteger(options.random, 3_000), request.signal);
      return isWatch(request) ? watchFault(request, await inner.request(request), options) : inner.request(request);
    case 'conflict':
      return simulatedStatus(409, 'Conflict', 'simulated: the object has been modified');
    case 'throttled':
      return simulatedStatus(429, 'TooManyRequests', 'simulated: slow down', { 'retry-after': '1' });
    case 'failed':
      return simulatedStatus(500, 'InternalError', 'simulated: the server has failed');
    case 'unavailable':
      return simulatedStatus(503, 'ServiceUnavailable', 'simulated: not now');
    case 'gone':
      return simulatedStatus(410, 'Expired', 'simulated: too old resource version');
    case 'reset-before':
      throw reset('simulated: connection reset');
    case 'hang':
      return hang(request);
    case 'response-lost':
      await drain(await inner.request(request));
      throw reset('simulated: connection reset after the request was sent');
    case 'response-cut':
      return cut(await inner.request(request));
  }
}

function draw(request: RawRequest, { random, faultRate, without = [] }: FaultOptions): CallFault {
  if (faultRate.percent === 0 || randomInteger(random, 100) >= faultRate.percent) return 'none';
  const all = isWatch(request) ? WATCH_FAULTS : request.method === 'GET' ? READ_FAULTS : WRITE_FAULTS;
  const faults = without.length === 0 ? all : all.filter((fault) => !without.includes(fault));
  return faults[randomInteger(random, faults.length)] ?? 'none';
}

function reset(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' });
}

async function drain(response: RawResponse): Promise<void> {
  for await (const _ of response.body);
}

/** The headers of the answer and half of its first chunk, then the connection breaks. */
function cut(response: RawResponse): RawResponse {
  return { ...response, body: halfOf(response.body) };
}

async function* halfOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length >> 1);
    throw reset('simulated: connection reset in the middle of the answer');
  }
}
