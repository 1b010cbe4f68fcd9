import type { Clock } from '@/lib/clock/clock';
import { sleep } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';
import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';

/** What can happen to one call: the catalogue of design row A (API server behaviour) as far as a client can meet it. */
export type Fault =
  | 'none'
  | 'conflict'
  | 'throttled'
  | 'unavailable'
  | 'reset-before'
  | 'response-lost'
  | 'hang'
  | 'slow';

export interface FaultOptions {
  /** 0 to 100: how many of a hundred calls meet a fault. */
  readonly percent: number;
  readonly random: Random;
  readonly clock: Clock;
  /** Called for every call that reached the server, after it answered. */
  readonly onCall: (request: RawRequest, status: number) => void;
}

const WRITE_FAULTS: readonly Fault[] = [
  'conflict',
  'throttled',
  'unavailable',
  'reset-before',
  'response-lost',
  'hang',
  'slow',
];
const READ_FAULTS: readonly Fault[] = ['throttled', 'unavailable', 'reset-before', 'response-lost', 'hang', 'slow'];
const WATCH_FAULTS: readonly Fault[] = ['unavailable', 'reset-before', 'throttled'];

/** A transport that now and then does what networks and servers do. Deterministic for a given Random. */
export function faultyTransport(inner: Transport, options: FaultOptions): Transport {
  return {
    openSocket: (request) => inner.openSocket(request),
    close: () => inner.close(),
    async request(request) {
      const fault = draw(request, options);
      if (fault === 'conflict') return answer(409, 'Conflict', 'simulated: the object has been modified');
      if (fault === 'throttled') return answer(429, 'TooManyRequests', 'simulated: slow down', { 'retry-after': '1' });
      if (fault === 'unavailable') return answer(503, 'ServiceUnavailable', 'simulated: not now');
      if (fault === 'reset-before')
        throw Object.assign(new Error('simulated: connection reset'), { code: 'ECONNRESET' });
      if (fault === 'hang') return hang(request);
      if (fault === 'slow') await sleep(options.clock, 200 + randomInteger(options.random, 3_000), request.signal);
      const response = await inner.request(request);
      options.onCall(request, response.status);
      if (fault === 'response-lost') {
        await drain(response);
        throw Object.assign(new Error('simulated: connection reset after the request was sent'), {
          code: 'ECONNRESET',
        });
      }
      return isWatch(request) ? cutSometimes(response, options) : response;
    },
  };
}

function draw(request: RawRequest, { random, percent }: FaultOptions): Fault {
  if (randomInteger(random, 100) >= percent) return 'none';
  const faults = isWatch(request) ? WATCH_FAULTS : request.method === 'GET' ? READ_FAULTS : WRITE_FAULTS;
  return faults[randomInteger(random, faults.length)] ?? 'none';
}

function isWatch({ path }: RawRequest): boolean {
  return /[?&]watch=(true|1)/.test(path);
}

function answer(
  status: number,
  reason: string,
  message: string,
  headers: { [name: string]: string } = {},
): RawResponse {
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status });
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: once(new TextEncoder().encode(body)),
  };
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Never answers: the caller's own deadline has to end it. */
function hang({ signal }: RawRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function drain(response: RawResponse): Promise<void> {
  for await (const _ of response.body);
}

/** A watch whose connection breaks after some events. */
function cutSometimes(response: RawResponse, { random, percent }: FaultOptions): RawResponse {
  if (randomInteger(random, 100) >= percent) return response;
  const left = randomInteger(random, 6);
  return { ...response, body: cutAfter(response.body, left) };
}

async function* cutAfter(body: AsyncIterable<Uint8Array>, chunks: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    if (seen++ >= chunks) throw Object.assign(new Error('simulated: the watch was cut'), { code: 'ECONNRESET' });
    yield chunk;
  }
}
