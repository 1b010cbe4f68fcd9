import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import type { RawRequest, RawResponse } from './api';
import { plainCluster } from './credentials';
import { createApi } from './http-api';
import type { Transport } from './transport';

/** The response of a scripted server to one request; a `body` that is no text and no stream is sent as JSON. `hang` never sends headers, `open` sends them and then nothing. */
export type Answer =
  | { status?: number; body?: unknown; headers?: { [name: string]: string } }
  | { hang: true }
  | { open: true }
  | Error;

/** An Api over a scripted server and a virtual clock, for tests of this folder. */
export function scriptedApi(answer: (request: RawRequest, index: number) => Answer) {
  const clock = new VirtualClock();
  const requests: RawRequest[] = [];
  const transport: Transport = {
    async request(request) {
      requests.push(request);
      const given = answer(request, requests.length - 1);
      if (given instanceof Error) throw given;
      if ('hang' in given) return untilAborted(request.signal);
      if ('open' in given) return { status: 200, headers: {}, body: silentBody(request.signal) };
      return responseOf(given);
    },
    openSocket: () => Promise.reject(new Error('not scripted')),
    close: async () => undefined,
  };
  const cluster = plainCluster({ server: 'https://test' });
  return { clock, requests, api: createApi(cluster, { clock, random: seededRandom('test'), transport }) };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

async function* silentBody(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield await untilAborted(signal);
}

function responseOf({
  status = 200,
  body = {},
  headers = {},
}: Exclude<Answer, Error | { hang: true } | { open: true }>): RawResponse {
  if (isStream(body)) return { status, headers, body };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers,
    body: (async function* () {
      yield Buffer.from(text);
    })(),
  };
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** A body in the middle of which the connection breaks. */
export async function* brokenBody(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"kind":"Status","apiVersi');
  throw Object.assign(new Error('read'), { code: 'ECONNRESET' });
}

/** A Status as the API server sends it. */
export function statusBody(code: number, reason: string, message = reason, details: object = {}) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details };
}
