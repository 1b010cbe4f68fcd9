import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { allowedHosts, type HostSettings, isAllowedHost } from '@/server/http/host';
import { dropInternalHeaders, isBelow, isPlainTarget, takeCluster } from '@/server/http/request-target';
import type { TlsPair } from './tls-pair';

export type HttpAnswer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
export type SocketUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The one port of the console. Answers 503 until it is given something to answer with. */
export interface ConsoleServer {
  /** From now on requests and upgrades go here; an absent `upgrade` closes the socket. */
  serve(answer: HttpAnswer, upgrade?: SocketUpgrade): void;
  /** From now on each connection ends with the answer of its request, so that clients connect anew, to another server. */
  endConnections(): void;
  /** Takes no more connections, lets running requests end for a while (1.5 s when absent), then closes every socket. Twice is once. */
  close(patienceMs?: number): Promise<void>;
}

const HEADERS_WITHIN_MS = 10_000;
/** Longer than clients and proxies keep an idle connection (60 to 75 s), so that it is not closed under a request. */
const KEEP_ALIVE_MS = 90_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CLOSE_PATIENCE_MS = 1_500;

/**
 * Listens at once, so that a port in use is known before anything else is started. Every request with a `Host` that is
 * not one of ours is refused before any other code sees it (DNS rebinding).
 *
 * @param tls the certificate; without one the server speaks HTTP
 * @param headersWithinMs how long a client may take to send the headers of a request
 * @throws TerminalError `PortInUse`, or for a certificate that cannot be served
 */
export async function listen(
  address: HostSettings & { readonly basePath: string },
  tls?: TlsPair,
  headersWithinMs = HEADERS_WITHIN_MS,
): Promise<ConsoleServer> {
  const allowed = allowedHosts(address);
  let answer: HttpAnswer = (_request, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end('Bravo is starting.\n');
  };
  let isEnding = false;
  let closed: Promise<void> | undefined;
  let upgrade: SocketUpgrade = (_request, socket) => socket.destroy();
  const server = openServer(tls, headersWithinMs, (request, response) => {
    if (!isAllowedHost(request.headers.host, allowed)) return refuseHost(response, allowed);
    if (!isPlainTarget(request.url)) return refuseTarget(response);
    if (!isBelow(request.url, address.basePath)) return pointTo(request, response, address.basePath);
    dropInternalHeaders(request.headers);
    takeCluster(request, address.basePath);
    if (isEnding) response.setHeader('connection', 'close');
    void answer(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const { url } = request;
    const isOurs = isAllowedHost(request.headers.host, allowed) && isPlainTarget(url) && isBelow(url, address.basePath);
    if (!isOurs || isEnding) return void socket.destroy();
    dropInternalHeaders(request.headers);
    takeCluster(request, address.basePath);
    upgrade(request, socket, head);
  });
  server.on('clientError', answerBadRequest);
  await bind(server, address);
  return {
    serve(newAnswer, newUpgrade) {
      answer = newAnswer;
      upgrade = newUpgrade ?? upgrade;
    },
    endConnections() {
      isEnding = true;
    },
    close(patienceMs = CLOSE_PATIENCE_MS) {
      isEnding = true;
      closed ??= closeServer(server, patienceMs);
      return closed;
    },
  };
}

/** HTTPS with a certificate, otherwise HTTP. */
function openServer(tls: TlsPair | undefined, headersWithinMs: number, take: RequestListener): Server {
  const limits = {
    headersTimeout: headersWithinMs,
    connectionsCheckingInterval: headersWithinMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  if (tls === undefined) return createServer(limits, take);
  const server = createSecureServer({ ...limits, ...tls.first() }, take);
  tls.keepFresh(server);
  return server;
}

/** What Node could not read as a request. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An error of the connection or of TLS is not about what was read: an answer may be under way.
  const isOfRequest = /^(HPE_|ERR_HTTP_)/.test(error.code ?? '');
  if (!isOfRequest || !socket.writable || isUnused(error, socket)) {
    socket.destroy();
    return;
  }
  const { status, text } = badRequest(error.code);
  const head = `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${text}`);
}

/**
 * Browsers open connections ahead of need. One that has sent nothing is closed without an answer: the browser would take
 * an answer as that of the request that it sends at the same moment, while it repeats a request whose connection closed.
 */
function isUnused(error: NodeJS.ErrnoException, socket: Duplex): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0;
}

/** Cookies that are too large get a sentence, since a person can do something about them. */
function badRequest(code: string | undefined): { readonly status: string; readonly text: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        text: `The headers of this request, cookies included, are larger than ${MAX_HEADER_BYTES / 1024} KiB. Delete the cookies of this site and sign in again.\n`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: '408 Request Timeout', text: 'The request did not arrive in time. Send it again.\n' };
    default:
      return { status: '400 Bad Request', text: 'This is not an HTTP request.\n' };
  }
}

function refuseHost(response: ServerResponse, allowed: readonly string[]): void {
  response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`This console answers only by its own names: ${allowed.join(', ')}. BRAVO_URL adds another one.\n`);
}

function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end('This is not a path of this console.\n');
}

/** Only the base path is the console's: another program may be served beside it. A person who forgot it is brought there. */
function pointTo({ url, method }: IncomingMessage, response: ServerResponse, basePath: string): void {
  const isRoot = url === '/' && (method === 'GET' || method === 'HEAD');
  const location = isRoot ? { location: basePath } : {};
  response.writeHead(isRoot ? 307 : 404, { ...location, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`This console is served below ${basePath} (BRAVO_BASE_PATH).\n`);
}

function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message =
        error.code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is in use. End the other program, or choose another port with PORT.`
          : `The console could not listen on ${host}:${port}: ${error.message}.`;
      reject(new TerminalError(message, 'PortInUse', { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
}

function closeServer(server: Server, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeoutOnce(patienceMs, () => server.closeAllConnections());
    server.close(() => {
      patience();
      resolve();
    });
    server.closeIdleConnections();
  });
}

function setTimeoutOnce(delayMs: number, run: () => void): () => void {
  const timer = systemClock.after(delayMs, run);
  return () => timer.cancel();
}
