import type { Readable } from 'node:stream';
import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { withDeadline } from '@/server/kube/deadline';
import { readAtMost } from './read-at-most';

export interface DownloadOptions {
  readonly clock: Clock;
  /** A larger response is an error. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches the bytes at a URL. */
export type Download = (url: string, options: DownloadOptions) => Promise<Uint8Array>;

/** How connections are made, and what is sent to which server. */
export interface DownloadRoute {
  /** Opens connections, and refuses addresses. */
  readonly connect?: buildConnector.connector | undefined;
  /** The `Authorization` for one origin; no other server gets it, also when that one redirects to it. */
  readonly authorization?: { readonly origin: string; readonly value: string } | undefined;
}

/**
 * GET of an `http:` or `https:` URL: redirects are followed
 * (five at most, never from https to http), and size and time are limited. No cookies are sent, and no credentials that the route does not name.
 *
 * @param userAgent `NAME/VERSION`
 * @param route `proxy`: as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say
 */
export function createDownload(userAgent: string, route: 'direct' | 'proxy' | DownloadRoute = 'direct'): Download {
  const { connect, authorization } = typeof route === 'string' ? {} : route;
  return async (url, options) => {
    const dispatcher =
      route === 'proxy' ? new EnvHttpProxyAgent() : new Agent(connect === undefined ? {} : { connect });
    try {
      return await withDeadline(options.clock, limits.downloadDeadlineMs, options.signal, (signal) =>
        follow(new URL(url), { dispatcher, userAgent, authorization, maxBytes: options.maxBytes, signal }),
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
  readonly userAgent: string;
  readonly authorization: DownloadRoute['authorization'];
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
    const { statusCode, headers, body } = await fetching.dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        'user-agent': fetching.userAgent,
        'accept-encoding': 'identity',
        ...(fetching.authorization?.origin === url.origin ? { authorization: fetching.authorization.value } : {}),
      },
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
      const message = `failed to fetch ${shown(start)}: status ${statusCode}`;
      throw new TerminalError(message, statusCode === 404 ? 'NotFound' : 'DownloadFailed');
    }
    return readAtMost(body, fetching.maxBytes, shown(start));
  }
  throw refused(`failed to fetch ${shown(start)}: more than ${limits.downloadRedirects} redirects`);
}

/** An unread body would keep the connection busy. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
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
