import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';

/** A network that can be down for a while: requests fail at once, and open streams break. */
export interface BreakableNetwork {
  /** Requests so far, failed ones included. */
  readonly sent: number;
  readonly isDown: boolean;
  goDown(): void;
  comeBack(): void;
  over(inner: Transport): Transport;
}

export function breakableNetwork(): BreakableNetwork {
  const breakers = new Set<() => void>();
  let isDown = false;
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    get isDown() {
      return isDown;
    },
    goDown() {
      isDown = true;
      for (const cut of [...breakers]) cut();
    },
    comeBack() {
      isDown = false;
    },
    over: (inner) => ({
      ...inner,
      async request(request) {
        sent += 1;
        if (isDown) throw reset();
        const broken = new AbortController();
        const cut = () => broken.abort(reset());
        breakers.add(cut);
        const response = await inner.request({ ...request, signal: either(request, broken.signal) });
        return { ...response, body: until(response, broken.signal, () => breakers.delete(cut)) };
      },
    }),
  };
}

async function* until({ body }: RawResponse, broken: AbortSignal, done: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      if (broken.aborted) throw broken.reason;
      yield chunk;
    }
    if (broken.aborted) throw broken.reason;
  } finally {
    done();
  }
}

function either({ signal }: RawRequest, broken: AbortSignal): AbortSignal {
  return signal === undefined ? broken : AbortSignal.any([signal, broken]);
}

function reset(): Error {
  return Object.assign(new Error('simulated: connection reset'), { code: 'ECONNRESET' });
}
