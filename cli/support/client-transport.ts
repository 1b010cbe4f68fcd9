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

/** `-v` levels from which on each request is logged, and its body too (KUDO: 2–4 debug, 7–8 data). */
const LOG_REQUESTS = 4;
const LOG_BODIES = 8;
const MAX_BODY_CHARS = 4_000;

/**
 * A transport that obeys `--request-timeout` and `-v`. The lines of `-v` go to `log`. They have no headers, and so no
 * credentials; bodies of Secrets are left out.
 *
 * @throws TerminalError for a flag that is not a number
 */
export function clientTransport(
  inner: Transport,
  flags: ClientFlags,
  { clock, log }: { clock: Clock; log: (line: string) => void },
): Transport {
  const timeoutMs = numberFlag('--request-timeout', flags.requestTimeout) * 1000;
  const level = numberFlag('-v', flags.v);
  return {
    ...inner,
    async request(request) {
      const startedMs = clock.monotonic();
      const response = await (timeoutMs > 0 ? withinTimeout(inner, request, clock, timeoutMs) : inner.request(request));
      if (level >= LOG_REQUESTS) {
        const tookMs = Math.round(clock.monotonic() - startedMs);
        log(`${request.method} ${request.path} ${response.status} in ${tookMs} ms`);
        if (level >= LOG_BODIES) logBody(request, log);
      }
      return response;
    },
  };
}

/** The timeout ends with the headers of the answer, as in the client that KUDO used. */
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

function logBody({ path, body }: RawRequest, log: (line: string) => void): void {
  if (typeof body !== 'string' || body === '' || path.includes('/secrets')) return;
  log(body.length > MAX_BODY_CHARS ? `${body.slice(0, MAX_BODY_CHARS)}…` : body);
}

function numberFlag(flag: string, text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TerminalError(
    `invalid argument "${text}" for "${flag}" flag: it must be a number of 0 or more`,
    'InvalidArguments',
  );
}
