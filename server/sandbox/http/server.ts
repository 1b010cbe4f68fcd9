import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { UserInfo } from '../auth/user';
import { anonymousUser } from '../auth/user';
import { type Discovery, discoveryOf } from '../discovery/discovery';
import type { ServerCertificate } from '../tls/certificates';
import type { SandboxCore } from './core';
import { type Exchange, sendFailure } from './exchange';
import { servePlainPath } from './plain-paths';
import { parseRequest } from './request-info';
import { serveResource } from './router';
import { internalError, StatusError } from './status';

export interface SandboxServer {
  readonly port: number;
  /** Ends watches and connections, within a second. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;

/** Listens on the loopback address only. Rejects with one sentence when the port is taken. */
export async function listen(core: SandboxCore, port: number, certificate: ServerCertificate): Promise<SandboxServer> {
  const stopping = new AbortController();
  const discovery = discoveryOf(core.registry.table);
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
    (request, response) => void answer(core, discovery, { request, response, stopping: stopping.signal }),
  );
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
      reject(
        error.code === 'EADDRINUSE'
          ? new TerminalError(`Port ${port} is in use; stop what uses it or choose another port for the sandbox.`, 'PortInUse')
          : error,
      );
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

const GRACE_MS = 500;

async function close(server: Server, stopping: AbortController, sockets: Set<Duplex>, core: SandboxCore): Promise<void> {
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

async function answer(core: SandboxCore, discovery: Discovery, { request, response, stopping }: Incoming): Promise<void> {
  const warnings: string[] = [];
  try {
    const exchange = identify(core, { request, response, stopping, warnings });
    core.authority.authorize(exchange.user, exchange.info);
    if (exchange.info.resource === undefined) servePlainPath(core, discovery, exchange);
    else await serveResource(core, exchange, exchange.info.resource);
  } catch (error) {
    if (response.destroyed) return;
    const failure = error instanceof StatusError ? error : internalError(messageOf(error));
    if (!(error instanceof StatusError)) core.reportBug(error);
    // What is left of the body is not read: the connection cannot be used again.
    if (!request.complete) response.setHeader('connection', 'close');
    sendFailure({ response, warnings }, failure);
  }
}

function identify(core: SandboxCore, { request, response, stopping, warnings }: Incoming & { warnings: string[] }): Exchange {
  const target = request.url ?? '/';
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
  const info = parseRequest(request.method ?? 'GET', path, query);
  const user: UserInfo = core.authority.identify(request) ?? anonymousUser;
  return { request, response, info, query, user, warnings, signal: stopping };
}
