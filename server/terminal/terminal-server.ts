import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Timer } from '@/lib/clock/clock';
import { CLUSTER_HEADER } from '@/lib/clusters/cluster-path';
import { limits } from '@/lib/limits/limits';
import { randomUuid } from '@/lib/random/random';
import { TERMINAL_PROTOCOL } from '@/lib/terminal/channels';
import { isTerminalPath, parseTerminalPath } from '@/lib/terminal/target';
import { clientAddress } from '@/server/auth/client-address';
import type { Gate } from '@/server/auth/gate';
import { findSession } from '@/server/auth/person-of-request';
import type { ViewAs } from '@/server/auth/view-as';
import type { Config } from '@/server/config/config';
import type { TerminalSettings } from '@/server/config/terminals';
import { CLIENT_HEADER } from '@/server/http/headers';
import { originRefusal } from '@/server/http/origin';
import { problemOf, Refusal } from '@/server/http/problem';
import { runtime } from '@/server/runtime/runtime';
import { OpenTerminals } from './open-terminals';
import { serveTerminal } from './serve-terminal';
import type { TerminalClient } from './terminal';

export interface TerminalServerOptions {
  readonly settings: TerminalSettings;
  readonly config: Config;
  /** Finds who sends a request; absent when nobody signs in. */
  readonly gate: Gate | undefined;
  readonly viewAs: ViewAs;
}

/** A page that does not answer this often has gone away without closing its connection. */
const PING_MS = 30_000;

/**
 * Takes the WebSockets of terminals. The host was checked before (server/runtime/http-server); origin and session are checked here, and refused
 * in HTTP. Who has both is told everything else over the connection (serve-terminal), because a page cannot read why an upgrade was refused.
 */
export class TerminalServer {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: limits.terminal.frameBytes,
    handleProtocols: (offered) => (offered.has(TERMINAL_PROTOCOL) ? TERMINAL_PROTOCOL : false),
  });
  private readonly open = new OpenTerminals();

  constructor(private readonly options: TerminalServerOptions) {}

  isFor({ url = '' }: IncomingMessage): boolean {
    const path = url.split('?', 1)[0] ?? '';
    return isTerminalPath(path.slice(this.options.config.basePath.length));
  }

  /** Never rejects: a refusal is answered, and closes the connection. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      await this.admit(request, socket, head);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) runtime().log.error('terminal.bug', { error: String(error) });
      refuse(socket, problem ?? { status: 500, reason: 'InternalError', message: 'The console failed.' });
    }
  }

  /** Closes every terminal; their pages are told that the console stops. */
  close(): void {
    this.open.close();
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { settings, config, gate, viewAs } = this.options;
    checkOrigin(request);
    if (!settings.isOn) throw new Refusal(404, 'NotFound', 'This console was started with BRAVO_TERMINAL=off.');
    const target = parseTerminalPath((request.url ?? '').slice(config.basePath.length));
    if (typeof target === 'string') throw new Refusal(400, 'BadRequest', target);
    request.headers[CLIENT_HEADER] = clientAddress(request, config.auth.trustedProxies);
    const found = await gate?.admitUpgrade(request, socket);
    if (gate !== undefined && found === undefined) throw signInNeeded();
    await viewAs.admit(request, { appendHeader: () => {} });
    const headers = headersOf(request);
    const cluster = runtime().clusters.find(headers.get(CLUSTER_HEADER) ?? undefined);
    const session = await findSession(headers, cluster);
    if (session === undefined) throw signInNeeded();
    if (socket.destroyed) return;
    this.sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { clock, random } = runtime();
      const client = clientOf(webSocket, clock);
      const id = randomUuid(random);
      void serveTerminal({ id, client, target, session, found, headers, open: this.open, settings });
    });
  }
}

/** A terminal is a change: the browser must say that this very origin asks. @throws Refusal 403 or 400 */
function checkOrigin({ headers }: IncomingMessage): void {
  const one = (name: string) => (typeof headers[name] === 'string' ? headers[name] : null);
  const source = { method: 'POST', host: one('host'), origin: one('origin'), fetchSite: one('sec-fetch-site') };
  const refusal = source.origin === null ? 'A terminal needs an Origin header of this console.' : originRefusal(source);
  if (refusal !== undefined) throw new Refusal(403, 'Forbidden', refusal);
  const offered = (one('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
  if (offered.includes(TERMINAL_PROTOCOL)) return;
  throw new Refusal(400, 'BadRequest', `Ask for the subprotocol ${TERMINAL_PROTOCOL}.`);
}

function signInNeeded(): Refusal {
  return new Refusal(401, 'SignInNeeded', 'Sign in to continue: there is no session, or it has ended.');
}

function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
  };
}

interface Problem {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

function refuse(socket: Duplex, { status, reason, message }: Problem): void {
  const body = JSON.stringify({ status, reason, message, causes: [] });
  const head = `Content-Type: application/problem+json\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n\r\n${body}`);
}

/** The page's end over a WebSocket, which is pinged: a page that has vanished must not keep a shell. */
function clientOf(socket: WebSocket, clock: Clock): TerminalClient {
  let isAlive = true;
  let timer: Timer;
  const ping = (): void => {
    timer = clock.after(PING_MS, () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      ping();
    });
  };
  ping();
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => timer.cancel());
  // A frame that is too large closes the connection by itself (1009).
  socket.on('error', () => {});
  return {
    send: (frame) => new Promise((done) => socket.send(frame, () => done())),
    close: (code, reason) => socket.close(code, reason),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    onFrame: (listener) => {
      socket.on('message', (data: RawData, isBinary: boolean) => listener(isBinary ? bytesOf(data) : undefined));
    },
    onClose: (listener) => void socket.on('close', listener),
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
