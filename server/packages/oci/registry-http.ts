import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { isLoopbackRegistry } from '@/lib/oci/reference';
import { withDeadline } from '@/server/kube/deadline';
import { redirectTarget } from '../download';
import { readAtMost } from '../read-at-most';
import { Authorizer, type CredentialsFor } from './authorizer';

export interface OciClientOptions {
  readonly clock: Clock;
  /** `NAME/VERSION`. */
  readonly userAgent: string;
  /** `proxy`: as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say. */
  readonly route?: 'direct' | 'proxy';
  /** User name and password for a registry. */
  readonly credentialsFor: CredentialsFor;
  /** Registries that are asked over http; those of this machine always are. */
  readonly isPlainHttp?: (registry: string) => boolean;
  /** Opens connections, and refuses addresses. */
  readonly connect?: buildConnector.connector;
}

export interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly url: URL;
  readonly accept?: readonly string[];
  readonly contentType?: string;
  readonly body?: Uint8Array;
  /** What the token must allow, such as `repository:ns/name:pull`; empty for all of the registry. */
  readonly scope: string;
  /** A larger answer is an error. */
  readonly maxBytes: number;
}

export interface RegistryResponse {
  readonly status: number;
  /** A header's value; the first one of several. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

/**
 * Requests to OCI registries: authentication by Basic and Bearer, redirects of reads (five at most, never from https to http),
 * limits on size and time. RegistryCredentials and tokens are sent to the origin that they are for, never to where it redirects.
 */
export class RegistryHttp {
  private readonly dispatcher: Dispatcher;
  private readonly authorizer: Authorizer;

  constructor(private readonly options: OciClientOptions) {
    const { route, connect } = options;
    this.dispatcher = route === 'proxy' ? new EnvHttpProxyAgent() : new Agent(connect === undefined ? {} : { connect });
    this.authorizer = new Authorizer(options.credentialsFor, (url, authorization) =>
      this.readToken(url, authorization),
    );
  }

  /** `https://HOST/`, or http where that is allowed. */
  baseOf(registry: string): URL {
    const isPlain = isLoopbackRegistry(registry) || this.options.isPlainHttp?.(registry) === true;
    // Docker Hub answers at another host than the one in references.
    const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
    return new URL(`${isPlain ? 'http' : 'https'}://${host}/`);
  }

  /**
   * Sends a request, and again with a token when the registry asks for one.
   *
   * @returns every answer, also one of 4xx
   * @throws TerminalError for bad redirects and too large answers, TransientError when there is no answer, or one of 429 and 5xx
   */
  async send(registry: string, request: RegistryRequest): Promise<RegistryResponse> {
    const base = this.baseOf(registry);
    const first = await this.exchange(request, base.origin, this.authorizer.known(registry, request.scope));
    if (first.status !== 401) return first;
    const challenge = first.header('www-authenticate') ?? '';
    const authorization = await this.authorizer.answer({ registry, base }, request.scope, challenge);
    if (authorization === undefined) return first;
    return this.exchange(request, base.origin, authorization);
  }

  private async readToken(url: URL, authorization: string | undefined): Promise<Uint8Array> {
    const request = { method: 'GET', url, scope: '', maxBytes: limits.oci.tokenBytes } as const;
    const response = await this.exchange(request, url.origin, authorization);
    if (response.status === 200) return response.body;
    const why =
      response.status === 401 || response.status === 403 ? 'refused the credentials' : `answered ${response.status}`;
    throw new TerminalError(`The token server ${url.host} ${why}.`, 'RegistryUnauthorized');
  }

  private async exchange(
    request: RegistryRequest,
    trusted: string,
    authorization: string | undefined,
  ): Promise<RegistryResponse> {
    const { clock } = this.options;
    const { host } = request.url;
    try {
      const response = await withDeadline(clock, limits.downloadDeadlineMs, undefined, (signal) =>
        this.follow(request, { trusted, authorization, signal }),
      );
      if (response.status !== 429 && response.status < 500) return response;
      throw new TransientError(
        `The registry ${host} answered ${response.status}. Try again later.`,
        'RegistryUnavailable',
      );
    } catch (error) {
      if (error instanceof TerminalError || (error instanceof TransientError && error.reason !== 'Timeout'))
        throw error;
      const seconds = Math.round(limits.downloadDeadlineMs / 1000);
      const why = error instanceof TransientError ? `no answer within ${seconds} s` : messageOf(error);
      throw new TransientError(`The registry ${host} cannot be reached: ${why}.`, 'RegistryUnavailable', {
        cause: error,
      });
    }
  }

  private async follow(
    request: RegistryRequest,
    { trusted, authorization, signal }: { trusted: string; authorization: string | undefined; signal: AbortSignal },
  ): Promise<RegistryResponse> {
    let { url } = request;
    for (let redirects = 0; redirects <= limits.downloadRedirects; redirects++) {
      const headers = this.headersOf(request, url.origin === trusted ? authorization : undefined);
      const {
        statusCode,
        headers: answered,
        body,
      } = await this.dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers,
        signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const { location } = answered;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
        body.on('error', () => undefined).destroy();
        url = httpOnly(redirectTarget(url, location));
        continue;
      }
      const bytes = await readAtMost(body, request.maxBytes, shown(url));
      const header = (name: string): string | undefined => {
        const value = answered[name];
        return Array.isArray(value) ? value[0] : value;
      };
      return { status: statusCode, header, body: bytes, url };
    }
    throw new TerminalError(
      `The registry ${request.url.host} redirects more than ${limits.downloadRedirects} times.`,
      'DownloadFailed',
    );
  }

  private headersOf(request: RegistryRequest, authorization: string | undefined): { [name: string]: string } {
    const { accept, contentType } = request;
    return {
      'user-agent': this.options.userAgent,
      'accept-encoding': 'identity',
      ...(accept === undefined ? {} : { accept: accept.join(', ') }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(authorization === undefined ? {} : { authorization }),
    };
  }
}

function httpOnly(url: URL): URL {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  throw new TerminalError(`The registry redirects to ${url.protocol}, which is not supported.`, 'DownloadFailed');
}

/** Without the query, which may hold a signature of a storage service. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
