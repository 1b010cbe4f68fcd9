import { setMaxListeners } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { discoveryOf } from '../discovery/discovery';
import { openApiOf } from '../discovery/openapi';
import { badRequest, internalError, StatusError } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendFailure } from '../exchange/exchange';
import { parseRequest, type RequestInfo } from '../rbac/request-info';
import type { ServerCertificate } from '../tls/certificates';
import { serveAggregated } from './aggregated';
import { type ExecUpgrade, serveExecSocket } from './exec-socket';
import { type Handler, inTurns } from './in-turns';
import { type Documents, servePlainPath } from './plain-paths';
import { podPlace } from './pod-subresources';
import { servePortForward } from './port-forward';
import { serveResource } from './router';

export interface SandboxServer {
  readonly port: number;
  /** Ends watches and connections, within a second. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;

/** The handler of plain requests. It is given up with `stopping`. */
export function requestHandler(core: SandboxCore, stopping: AbortSignal): Handler {
  const { table } = core.registry;
  const documents = { discovery: discoveryOf(table, core.aggregation.versions), openApi: openApiOf(table) };
  return (request, response) => void answer(core, documents, { request, response, stopping });
}

/** Listens on the loopback address only. Rejects with one sentence when the port is taken. */
export async function listenHttps(
  core: SandboxCore,
  port: number,
  certificate: ServerCertificate,
): Promise<SandboxServer> {
  const stopping = new AbortController();
  // Every watch listens: more than ten is no leak.
  setMaxListeners(0, stopping.signal);
  const server = createServer(
    {
      key: certificate.keyPem,
      cert: certificate.certificatePem,
      ca: certificate.caPem,
      requestCert: true,
      rejectUnauthorized: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      keepAliveTimeout: 90_000,
    },
    inTurns(requestHandler(core, stopping.signal)),
  );
  server.on('upgrade', (request, socket, head) => {
    const upgraded = { request, socket, head, signal: stopping.signal };
    const prepared = core.authority.prepare(request);
    if (prepared === undefined) upgrade(core, upgraded);
    else void prepared.then(() => upgrade(core, upgraded));
  });
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await bind(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => close(server, stopping, sockets, core),
  };
}

async function bind(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const taken = `Port ${port} is in use; stop what uses it or choose another port for the sandbox.`;
      reject(error.code === 'EADDRINUSE' ? new TerminalError(taken, 'PortInUse') : error);
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

const GRACE_MS = 500;

async function close(
  server: Server,
  stopping: AbortController,
  sockets: Set<Duplex>,
  core: SandboxCore,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  stopping.abort();
  server.closeIdleConnections();
  const timer = core.registry.clock.after(GRACE_MS, () => {
    for (const socket of sockets) socket.destroy();
  });
  await closed;
  timer.cancel();
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly stopping: AbortSignal;
}

async function answer(
  core: SandboxCore,
  documents: Documents,
  { request, response, stopping }: Incoming,
): Promise<void> {
  const warnings: string[] = [];
  let info: RequestInfo | undefined;
  try {
    // Only with OIDC: otherwise a request is read in the turn in which it arrives.
    const prepared = core.authority.prepare(request);
    if (prepared !== undefined) await prepared;
    const exchange = { request, response, ...readRequest(core, request), warnings, signal: stopping };
    info = exchange.info;
    core.authority.authorize(exchange.user, exchange.info);
    const apiService = core.aggregation.find(exchange.info.path);
    if (apiService !== undefined) await serveAggregated(core, exchange, apiService);
    else if (exchange.info.resource === undefined) servePlainPath(core, documents, exchange);
    else await serveResource(core, exchange, exchange.info.resource);
  } catch (error) {
    if (response.destroyed) return;
    const failure = error instanceof StatusError ? error : internalError(messageOf(error));
    if (!(error instanceof StatusError)) core.reportBug(error);
    // What is left of the body is not read: the connection cannot be used again.
    if (!request.complete) response.setHeader('connection', 'close');
    sendFailure({ response, warnings }, failure);
  } finally {
    core.metrics.count(info, response.statusCode);
  }
}

/** Exec and attach come as WebSockets; anything that fails before the upgrade is answered as plain HTTP. */
function upgrade(core: SandboxCore, upgraded: ExecUpgrade): void {
  const { request, socket } = upgraded;
  socket.on('error', () => socket.destroy());
  try {
    const { verb, ...wanted } = readExec(core, request);
    if (verb === 'portforward') servePortForward(core, upgraded, { ...wanted, verb });
    else serveExecSocket(core, upgraded, { ...wanted, verb });
  } catch (error) {
    const { status, code } = error instanceof StatusError ? error : internalError(messageOf(error));
    if (!(error instanceof StatusError)) core.reportBug(error);
    const body = JSON.stringify(status);
    socket.end(
      `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
}

/** What an upgrade asks for, of whom it may be asked. Throws a StatusError otherwise. */
export function readExec(core: SandboxCore, request: IncomingMessage) {
  const { info, query, user } = readRequest(core, request);
  core.authority.authorize(user, info);
  const wanted = info.resource;
  const verb = wanted?.subresource;
  if (wanted?.group !== '' || wanted.resource !== 'pods' || wanted.name === undefined || !isExec(verb)) {
    throw badRequest('only exec, attach and portforward of pods can be upgraded');
  }
  return { query, place: podPlace(core.registry, wanted.namespace, wanted.name), verb };
}

function isExec(verb: string | undefined): verb is 'exec' | 'attach' | 'portforward' {
  return verb === 'exec' || verb === 'attach' || verb === 'portforward';
}

function readRequest(core: SandboxCore, request: IncomingMessage): Pick<Exchange, 'info' | 'query' | 'user'> {
  const target = request.url ?? '/';
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
  const info = parseRequest(request.method ?? 'GET', path, query);
  return { info, query, user: core.authority.identify(request) };
}
