import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { isAvailable } from '../aggregation/check-backend';
import { connectBackend, trustOf } from '../aggregation/connect-backend';
import { resolveBackend } from '../aggregation/resolve-backend';
import { badRequest, failure } from '../errors/status';
import { readBytes } from '../exchange/body';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import type { UserInfo } from '../rbac/user';

/** Of one connection, or what the API server behind must not see: the user is named only by the X-Remote headers that we set. */
const DROPPED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|authorization|cookie|host|x-remote-.*|impersonate-.*)$/;

/**
 * Answers a request by the API server behind the Service of an APIService (kube-aggregator proxyHandler). The user and their
 * rights were checked before. Bodies of requests have the limit of all bodies; answers pass through as they come, so that
 * watches do. Redirects are not followed and not passed on.
 */
export async function serveAggregated(
  { aggregation: { network }, registry }: SandboxCore,
  exchange: Exchange,
  apiService: KubeObject,
): Promise<void> {
  if (!isAvailable(apiService)) throw unavailable();
  const path = canonicalPath(exchange);
  const resolution = resolveBackend(registry, apiService);
  if ('unavailable' in resolution) throw unavailable();
  const { backend } = resolution;
  const body = await readBytes(exchange.request);
  const left = new AbortController();
  exchange.response.once('close', () => left.abort());
  const signal = AbortSignal.any([exchange.signal, left.signal]);
  const socket = await connectBackend(network, backend, trustOf(apiService), signal).catch((error: unknown) => {
    throw unreachable(error);
  });
  try {
    const outgoing = plainRequest({
      createConnection: () => socket,
      method: exchange.request.method,
      path,
      headers: { ...headersFor(exchange.request, exchange.user), host: backend.serverName },
      signal,
    });
    await pass(exchange, outgoing, body);
  } finally {
    socket.destroy();
  }
}

function unavailable() {
  return failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request');
}

function unreachable(error: unknown) {
  return failure(503, 'ServiceUnavailable', `error trying to reach service: ${messageOf(error)}`);
}

/** The path as it was authorized, written anew: the server behind must not read another one in it. */
function canonicalPath({ request, info }: Exchange): string {
  const segments = info.path.split('/');
  if (segments.includes('.') || segments.includes('..')) throw badRequest('the path may not contain . or .. segments');
  const target = request.url ?? '/';
  const question = target.indexOf('?');
  return segments.map(encodeURIComponent).join('/') + (question < 0 ? '' : target.slice(question));
}

/** The request's headers without {@link DROPPED}, and the user as the request header authentication of API servers reads them. */
export function headersFor(request: Pick<IncomingMessage, 'headers'>, user: UserInfo): { [name: string]: string[] } {
  const headers: { [name: string]: string[] } = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!DROPPED.test(name) && value !== undefined) headers[name] = typeof value === 'string' ? [value] : value;
  }
  headers['x-remote-user'] = [asBytes(user.name)];
  if (user.uid !== '') headers['x-remote-uid'] = [asBytes(user.uid)];
  headers['x-remote-group'] = user.groups.map(asBytes);
  for (const [key, values] of Object.entries(user.extra)) {
    headers[`x-remote-extra-${asHeaderName(key)}`] = values.map(asBytes);
  }
  return headers;
}

/** A key as kube-aggregator escapes it: what no header name may hold is percent-encoded. */
function asHeaderName(key: string): string {
  return encodeURIComponent(key)
    .replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'))
    .toLowerCase();
}

/** UTF-8 in the form in which Node writes headers: one character a byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function pass({ response, info }: Exchange, outgoing: ClientRequest, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (response.headersSent) response.destroy();
      reject(unreachable(error));
    };
    outgoing.once('error', fail);
    outgoing.setTimeout(limits.aggregation.answerMs, () => {
      // A watch may be silent for as long as it lives.
      if (!response.headersSent) outgoing.destroy(new Error('context deadline exceeded'));
    });
    outgoing.once('response', (answer) => {
      const status = answer.statusCode ?? 502;
      if (status >= 300 && status < 400 && status !== 304) {
        outgoing.destroy();
        const text = 'the backend attempted to redirect this request, which is not permitted';
        reject(failure(502, 'InternalError', text));
        return;
      }
      response.writeHead(status, answerHeaders(answer));
      if (info.verb === 'watch') response.flushHeaders();
      answer.pipe(response);
      answer.once('error', fail);
      response.once('close', resolve);
    });
    outgoing.end(body);
  });
}

function answerHeaders({ headers }: IncomingMessage): IncomingMessage['headers'] {
  const {
    connection: _connection,
    'keep-alive': _alive,
    'transfer-encoding': _coding,
    'set-cookie': _cookie,
    ...passed
  } = headers;
  return passed;
}
