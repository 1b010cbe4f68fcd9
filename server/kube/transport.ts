import { createSecureContext } from 'node:tls';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import WebSocket from 'ws';
import type { RawRequest, RawResponse } from './api';
import type { Cluster } from './credentials';
import type { TlsOptions } from './request-credentials';
import { sendRequest } from './send-request';

/**
 * The connections to a Kubernetes API server, injectable: production code uses {@link connectTransport}, the simulator its own.
 * `request` resolves when the headers arrive, whatever the status; it never follows a redirect, which could send the credentials
 * to another server. Deadlines are the caller's, by `signal`.
 */
export interface Transport {
  request(request: TransportRequest): Promise<RawResponse>;
  /** Opens a WebSocket; rejects with {@link HandshakeError} when the server answers with a plain response. */
  openSocket(request: SocketRequest): Promise<ChannelSocket>;
  close(): Promise<void>;
}

/** Headers that say in whose name a request is; they come after all others, so that none can replace them. */
export type AuthorityHeaders = { readonly [name: string]: string | string[] };

export interface TransportRequest extends RawRequest {
  /** A person's authority, beside or instead of the credentials of the connection (server/kube/person-api). */
  authority?: AuthorityHeaders | undefined;
}

export interface SocketRequest {
  authority?: AuthorityHeaders | undefined;
  /** Path with query, already encoded. */
  path: string;
  protocols: readonly string[];
  signal?: AbortSignal | undefined;
}

/** A WebSocket as messages in and out; `messages` ends when the socket is closed and throws when it breaks. */
export interface ChannelSocket {
  readonly protocol: string;
  readonly messages: AsyncIterable<Uint8Array>;
  send(data: Uint8Array): void;
  /** Resolves when everything that was sent is written to the connection; absent where nothing waits. */
  flushed?(): Promise<void>;
  close(): void;
}

/** The server refused the upgrade and sent this response instead. */
export class HandshakeError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`The server answered ${status} instead of opening a stream.`);
    this.name = 'HandshakeError';
    this.status = status;
    this.body = body;
  }
}

/** An idle connection is kept this long; shorter than the 90 s of kube-apiserver's load balancers. */
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const HANDSHAKE_BODY_BYTES = 64 * 1024;
/** A server that sends faster than its messages are read has to wait. */
const UNREAD_BYTES = 1024 * 1024;

/** Connections to one cluster: one undici agent, replaced when the cluster's certificates change. */
export function connectTransport(cluster: Cluster): Transport {
  let address: Address | undefined;
  let agent: Dispatcher | undefined;
  let agentTls: TlsOptions | undefined;

  const dispatcherFor = async (tls: TlsOptions): Promise<Dispatcher> => {
    if (agent !== undefined && agentTls === tls) return agent;
    const previous = agent;
    agent = createAgent(cluster, tls);
    agentTls = tls;
    if (previous !== undefined) previous.close().catch(() => undefined);
    return agent;
  };

  return {
    async request({ authority, ...request }) {
      address ??= addressOf(cluster.server);
      const access = await cluster.access();
      const dispatcher = await dispatcherFor(access.tls);
      const response = await sendRequest(dispatcher, address.origin, {
        ...request,
        path: address.prefix + request.path,
        headers: { ...request.headers, ...access.headers, ...authority },
      });
      // The token may have been renewed on disk; the next request reads it again.
      if (response.status === 401) cluster.forgetAccess();
      return response;
    },
    async openSocket(request) {
      const access = await cluster.access();
      return openWebSocket(cluster, access, request);
    },
    async close() {
      await agent?.destroy();
      agent = undefined;
    },
  };
}

interface Address {
  readonly origin: string;
  /** The prefix of every path, when the API is served below one. */
  readonly prefix: string;
}

function addressOf(server: string): Address {
  const { origin, pathname } = new URL(server);
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

function createAgent(cluster: Cluster, tls: TlsOptions): Dispatcher {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1, allowH2: false };
  // Parsed once for all connections: a controller opens a dozen when it starts.
  const { ca, cert, key, passphrase } = tls;
  const secureContext = createSecureContext({ ca, cert, key, passphrase });
  const connect = { ...tls, secureContext, timeout: CONNECT_TIMEOUT_MS };
  if (cluster.proxyUrl !== undefined) return new ProxyAgent({ ...options, uri: cluster.proxyUrl, requestTls: connect });
  return new Pool(addressOf(cluster.server).origin, { ...options, connect });
}

function openWebSocket(
  cluster: Cluster,
  access: { tls: TlsOptions; headers: { [name: string]: string } },
  request: SocketRequest,
): Promise<ChannelSocket> {
  const url = cluster.server.replace(/^http/, 'ws') + request.path;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, [...request.protocols], {
      ...access.tls,
      headers: { ...access.headers, ...request.authority },
      followRedirects: false,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      perMessageDeflate: false,
    });
    const abort = () => socket.terminate();
    request.signal?.addEventListener('abort', abort, { once: true });
    if (request.signal?.aborted === true) abort();
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= HANDSHAKE_BODY_BYTES) chunks.push(chunk);
      });
      response.on('end', () => {
        reject(new HandshakeError(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
        socket.terminate();
      });
    });
    const messages = readMessages(socket);
    let written = Promise.resolve();
    socket.once('error', reject);
    socket.once('close', () => request.signal?.removeEventListener('abort', abort));
    socket.once('open', () =>
      resolve({
        protocol: socket.protocol,
        messages,
        send: (data) => {
          written = new Promise((done) => socket.send(data, () => done()));
        },
        flushed: () => written,
        close: () => socket.close(),
      }),
    );
  });
}

/** Messages queued from the first byte on, so that nothing sent right after the handshake is lost. */
function readMessages(socket: WebSocket): AsyncIterable<Uint8Array> {
  const queue: Uint8Array[] = [];
  let unread = 0;
  let failure: Error | undefined;
  let ended = false;
  let wake: () => void = () => undefined;
  socket.on('message', (data: WebSocket.RawData) => {
    const message = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    queue.push(message);
    unread += message.length;
    if (unread > UNREAD_BYTES) socket.pause();
    wake();
  });
  socket.on('error', (error) => {
    failure = error;
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) {
          unread -= next.length;
          if (socket.isPaused && unread <= UNREAD_BYTES / 2) socket.resume();
          yield next;
        } else if (failure !== undefined) throw failure;
        else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
