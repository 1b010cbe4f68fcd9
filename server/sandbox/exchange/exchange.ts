import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonValue } from '@/lib/json/json';
import { writeYaml } from '@/lib/yaml/yaml';
import type { StatusError } from '../errors/status';
import type { RequestInfo } from '../rbac/request-info';
import type { UserInfo } from '../rbac/user';
import { sortKeys } from '../registry/sort-keys';
import type { Accepted } from './negotiation';

/** One request on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  /** Texts for Warning headers. */
  readonly warnings: string[];
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

const COMMON_HEADERS = { 'cache-control': 'no-cache, private' };

/** Sends JSON text in the form that was negotiated. */
export function sendJson(
  exchange: Pick<Exchange, 'response' | 'warnings'>,
  code: number,
  json: string,
  accepted?: Accepted,
): void {
  if (accepted?.mediaType === 'application/yaml') {
    sendText(exchange, code, 'application/yaml', writeYaml(sortKeys(JSON.parse(json) as JsonValue)));
    return;
  }
  const text = accepted?.pretty === true ? JSON.stringify(JSON.parse(json), null, 2) : `${json}\n`;
  sendText(exchange, code, 'application/json', text);
}

export function sendText(
  { response, warnings }: Pick<Exchange, 'response' | 'warnings'>,
  code: number,
  contentType: string,
  text: string,
): void {
  response.writeHead(code, {
    ...COMMON_HEADERS,
    ...warningHeader(warnings),
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The headers of a streamed answer. */
export function startStream(exchange: Exchange, contentType: string): void {
  exchange.response.writeHead(200, {
    ...COMMON_HEADERS,
    ...warningHeader(exchange.warnings),
    'content-type': contentType,
  });
  exchange.response.flushHeaders();
}

/** A failure as its Status; JSON whatever was asked for, as the API server does. */
export function sendFailure(exchange: Pick<Exchange, 'response' | 'warnings'>, error: StatusError): void {
  if (exchange.response.headersSent) {
    exchange.response.destroy();
    return;
  }
  const seconds = error.status.details?.retryAfterSeconds;
  if (seconds !== undefined) exchange.response.setHeader('retry-after', String(seconds));
  sendJson(exchange, error.code, JSON.stringify(error.status));
}

/** `404 page not found`, for unknown paths. */
export function sendNoPage(exchange: Pick<Exchange, 'response' | 'warnings'>): void {
  sendText(exchange, 404, 'text/plain; charset=utf-8', '404 page not found\n');
}

function warningHeader(warnings: readonly string[]): { [name: string]: string[] } {
  if (warnings.length === 0) return {};
  const unique = [...new Set(warnings)];
  return { warning: unique.map((text) => `299 - "${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`) };
}
