import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import type { ProcessClock } from './process-clock';
import { isWatch } from './requests';

/**
 * The network of one simulated process. Requests of a suspended process still reach the server, and answers wait until it runs again;
 * a dead process sends and receives nothing, and its watches are closed.
 */
export function processTransport(inner: Transport, clock: ProcessClock, died: AbortSignal): Transport {
  return {
    ...inner,
    async request(request) {
      if (clock.isDead) return never();
      const response = await (isWatch(request) ? openUntilDeath(inner, request, died) : inner.request(request));
      if (clock.isFrozen || clock.isDead) await clock.running();
      // Any other answer is complete already.
      return isWatch(request) ? { ...response, body: gate(response.body, clock) } : response;
    },
    async openSocket(request) {
      if (clock.isDead) return never();
      const socket = await inner.openSocket(request);
      const end = () => {
        died.removeEventListener('abort', end);
        socket.close();
      };
      if (died.aborted) end();
      else died.addEventListener('abort', end);
      if (clock.isFrozen || clock.isDead) await clock.running();
      return { ...socket, messages: gate(socket.messages, clock), close: end };
    },
  };
}

/** A new promise each time: one that never settles keeps everything that waits for it in memory, with the whole simulation. */
const never = () => new Promise<never>(() => {});

/** Aborted by the request's own signal, or by the death of the process. */
async function openUntilDeath(inner: Transport, request: RawRequest, died: AbortSignal): Promise<RawResponse> {
  const { signal } = request;
  const controller = new AbortController();
  const end = () => {
    controller.abort(signal?.reason ?? died.reason);
    died.removeEventListener('abort', end);
  };
  if (signal?.aborted === true || died.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  died.addEventListener('abort', end, { once: true });
  return inner.request({ ...request, signal: controller.signal });
}

async function* gate(body: AsyncIterable<Uint8Array>, clock: ProcessClock): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (clock.isFrozen || clock.isDead) await clock.running();
    yield chunk;
  }
}
