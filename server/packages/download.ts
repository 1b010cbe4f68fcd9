import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { withDeadline } from '@/server/kube/deadline';
import { guardedLookup, literalRefusal } from '@/server/notices/guarded-lookup';

export interface DownloadOptions {
  readonly clock: Clock;
  /** A larger response is an error. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches the bytes at a URL. */
export type Download = (url: string, options: DownloadOptions) => Promise<Uint8Array>;

/**
 * GET of an `http:` or `https:` URL: redirects are followed
 * (five at most, never from https to http), and size and time are limited. Neither credentials nor cookies are sent.
 *
 * @param userAgent `NAME/VERSION`
 * @param route `proxy`: as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say
 */
export function createDownload(userAgent: string, route: 'direct' | 'proxy' = 'direct'): Download {
  return download(userAgent, () => ({ dispatcher: route === 'proxy' ? new EnvHttpProxyAgent() : new Agent() }));
}

/**
 * The same for addresses that somebody else chose: none leads to this machine, a link-local address or a metadata service, redirects
 * included. The address is checked in the step that connects to it. No proxy is used.
 *
 * @param allowLocal this machine may serve packages, for tests and the sandbox
 */
export function createGuardedDownload(userAgent: string, allowLocal: boolean): Download {
  return download(userAgent, () => ({
    dispatcher: new Agent({ connect: { lookup: guardedLookup(allowLocal) } }),
    refusal: (url) => literalRefusal(url, allowLocal),
  }));
}

function download(userAgent: string, open: () => Pick<Fetching, 'dispatcher' | 'refusal'>): Download {
  return async (url, options) => {
    const { dispatcher, refusal } = open();
    try {
      return await withDeadline(options.clock, limits.downloadDeadlineMs, options.signal, (signal) =>
        follow(new URL(url), { dispatcher, refusal, userAgent, maxBytes: options.maxBytes, signal }),
      );
    } catch (error) {
      throw fetchError(url, error);
    } finally {
      await dispatcher.destroy();
    }
  };
}

interface Fetching {
  readonly dispatcher: Dispatcher;
  /** What the host of a URL is when nothing is fetched from there. */
  readonly refusal?: ((url: URL) => string | undefined) | undefined;
  readonly userAgent: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The target of a redirect.
 *
 * @throws TerminalError when it is not a URL, or http after https
 */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href))
    throw refused(`failed to fetch ${shown(from)}: it redirects to an invalid URL`);
  const target = new URL(location, from);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw refused(`failed to fetch ${shown(from)}: it redirects from https to http, ${shown(target)}`);
  }
  return target;
}

async function follow(start: URL, fetching: Fetching): Promise<Uint8Array> {
  let url = start;
  for (let redirects = 0; redirects <= limits.downloadRedirects; redirects++) {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw refused(`failed to fetch ${shown(url)}: only http and https are supported`);
    }
    const refusal = fetching.refusal?.(url);
    if (refusal !== undefined) throw refused(`failed to fetch ${shown(start)}: ${url.hostname} is ${refusal}`);
    const { statusCode, headers, body } = await fetching.dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { 'user-agent': fetching.userAgent, 'accept-encoding': 'identity' },
      signal: fetching.signal,
    });
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      discard(body);
      url = redirectTarget(url, location);
      continue;
    }
    if (statusCode !== 200) {
      discard(body);
      throw refused(`failed to fetch ${shown(start)}: status ${statusCode}`);
    }
    return readAtMost(body, fetching.maxBytes, start);
  }
  throw refused(`failed to fetch ${shown(start)}: more than ${limits.downloadRedirects} redirects`);
}

/** An unread body would keep the connection busy. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number, url: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw refused(`failed to fetch ${shown(url)}: the file is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The URL for an error message: without user name and password. */
export function shownAddress(url: string): string {
  return URL.canParse(url) ? shown(new URL(url)) : url;
}

function shown(url: URL): string {
  const { username, password, href } = url;
  if (username === '' && password === '') return href;
  const copy = new URL(href);
  copy.username = '';
  copy.password = '';
  return copy.href;
}

function fetchError(url: string, error: unknown): Error {
  if (error instanceof TerminalError) return error;
  if (error instanceof TransientError && error.reason === 'Timeout') {
    const seconds = Math.round(limits.downloadDeadlineMs / 1000);
    return new TransientError(`failed to fetch ${shownAddress(url)}: no response within ${seconds} s`, 'Timeout', {
      cause: error,
    });
  }
  return new TransientError(`failed to fetch ${shownAddress(url)}: ${messageOf(error)}`, 'DownloadFailed', {
    cause: error,
  });
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'DownloadFailed');
}
