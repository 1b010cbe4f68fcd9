import { Agent } from 'undici';
import { type Clock, parseTime } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { withDeadline } from '@/server/kube/deadline';
import { AddressRefused, guardedLookup, literalRefusal } from './guarded-lookup';
import type { NoticeRequest } from './notice-request';

/** What became of a request. `why` is a part of a sentence after the name of the host, and holds no part of the URL. */
export type PostOutcome =
  | { readonly is: 'delivered'; readonly status: number }
  /** A later try would not help. */
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'failed'; readonly why: string; readonly retryAfterMs?: number };

/** Sends one request and says what became of it. Rejects only when the signal is aborted. */
export type PostNotice = (request: NoticeRequest, signal?: AbortSignal) => Promise<PostOutcome>;

/**
 * POST to a receiver: no redirect is followed, no proxy used, no more of the answer read than its status, and the address to which the
 * name resolves is checked in the same step that connects to it, so that a name cannot resolve to another one in between.
 */
export function createPostNotice({ clock, allowLocal }: { clock: Clock; allowLocal: boolean }): PostNotice {
  return async (request, signal) => {
    const refusal = literalRefusal(new URL(request.url), allowLocal);
    if (refusal !== undefined) return { is: 'refused', why: `is ${refusal}` };
    const agent = new Agent({ connect: { lookup: guardedLookup(allowLocal) } });
    try {
      return await withDeadline(clock, limits.notices.deadlineMs, signal, (ending) =>
        send(agent, request, ending, clock),
      );
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return outcomeOfError(error);
    } finally {
      agent.destroy().catch(() => undefined);
    }
  };
}

async function send(agent: Agent, request: NoticeRequest, signal: AbortSignal, clock: Clock): Promise<PostOutcome> {
  const { origin, pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: `${pathname}${search}`,
    method: 'POST',
    headers: request.headers,
    body: request.body,
    signal,
  });
  body.on('error', () => undefined).destroy();
  if (statusCode >= 200 && statusCode < 300) return { is: 'delivered', status: statusCode };
  const why = `answered ${statusCode}`;
  if (statusCode >= 300 && statusCode < 400) return { is: 'refused', why: `${why}, and redirects are not followed` };
  if (statusCode !== 429 && statusCode < 500) return { is: 'refused', why };
  const retryAfterMs = retryAfterOf(headers['retry-after'], clock.now());
  return { is: 'failed', why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Longer ones are shortened: the receiver may be well again sooner. */
const MOST_RETRY_AFTER_MS = 3_600_000;

/** Seconds, or a date. */
function retryAfterOf(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : (parseTime(header) ?? Number.NaN) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MOST_RETRY_AFTER_MS);
}

/** By code only: the messages of errors may hold the URL. */
const ERROR_WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'cannot be found: the name does not resolve',
  EAI_AGAIN: 'cannot be found: the name cannot be resolved at the moment',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached: no route',
  ENETUNREACH: 'cannot be reached: no route',
  ETIMEDOUT: 'does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer',
};

function outcomeOfError(error: unknown): PostOutcome {
  if (error instanceof AddressRefused) return { is: 'refused', why: error.message };
  if (error instanceof TransientError && error.reason === 'Timeout') {
    return { is: 'failed', why: `did not answer within ${limits.notices.deadlineMs / 1_000} s` };
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const other = /CERT|TLS|SSL/.test(code) ? `has no certificate that can be verified (${code})` : 'cannot be reached';
  return { is: 'failed', why: ERROR_WORDS[code] ?? other };
}
