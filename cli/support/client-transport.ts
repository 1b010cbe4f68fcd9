import type { Clock } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import type { RawRequest, RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';

export interface ClientFlags {
  /** Seconds; 0 is none. */
  readonly requestTimeout?: string;
  /** 0 to 10. */
  readonly v?: string;
}

/** From this verbosity on each request is told, and from the second on what it sends (KUDO: 2–4 debug, 7–8 data). */
const TELL_REQUESTS = 4;
const TELL_BODIES = 8;
const MOST_BODY_CHARS = 4_000;

/**
 * A transport that obeys `--request-timeout` and `-v`. What `-v` tells goes to `tell`, without headers, and so without
 * credentials; bodies of Secrets are not told.
 *
 * @throws TerminalError for a flag that is no number
 */
export function clientTransport(
  inner: Transport,
  flags: ClientFlags,
  { clock, tell }: { clock: Clock; tell: (line: string) => void },
): Transport {
  const timeoutMs = numberFlag('--request-timeout', flags.requestTimeout) * 1000;
  const level = numberFlag('-v', flags.v);
  return {
    ...inner,
    async request(request) {
      const startedMs = clock.monotonic();
      const response = await (timeoutMs > 0 ? withinTimeout(inner, request, clock, timeoutMs) : inner.request(request));
      if (level >= TELL_REQUESTS) {
        const tookMs = Math.round(clock.monotonic() - startedMs);
        tell(`${request.method} ${request.path} ${response.status} in ${tookMs} ms`);
        if (level >= TELL_BODIES) tellBody(request, tell);
      }
      return response;
    },
  };
}

/** The time runs until the answer's headers are there, as with the client that KUDO used. */
async function withinTimeout(
  inner: Transport,
  request: RawRequest,
  clock: Clock,
  timeoutMs: number,
): Promise<RawResponse> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const timer = clock.after(timeoutMs, () => {
    isLate = true;
    controller.abort();
  });
  try {
    return await inner.request({ ...request, signal: controller.signal });
  } catch (error) {
    if (!isLate) throw error;
    const message = `The Kubernetes API did not answer ${request.method} ${request.path} within ${timeoutMs / 1000} s (--request-timeout).`;
    throw new TransientError(message, 'Timeout', { cause: error });
  } finally {
    timer.cancel();
  }
}

function tellBody({ path, body }: RawRequest, tell: (line: string) => void): void {
  if (typeof body !== 'string' || body === '' || path.includes('/secrets')) return;
  tell(body.length > MOST_BODY_CHARS ? `${body.slice(0, MOST_BODY_CHARS)}…` : body);
}

function numberFlag(flag: string, text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TerminalError(
    `invalid argument "${text}" for "${flag}" flag: it is no number of 0 or more`,
    'InvalidArguments',
  );
}
