import { randomBytes } from 'node:crypto';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request as send } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { makeAuthority, makeServerCertificate } from '@/server/sandbox/tls/certificates';
import { PASS, type ProxiedRequest, type ProxyFault } from './fault';
import { forward } from './forward';
import { forwardSocket } from './forward-socket';
import type { Upstream } from './upstream';

export interface FaultProxy {
  readonly url: string;
  readonly caPem: string;
  /** Decides what happens to each request; everything passes while it is not set. Called once a request, in order of arrival. */
  decide: (request: ProxiedRequest) => ProxyFault;
  /** Called for every answer of the server to a plain request. */
  answered: (request: ProxiedRequest, status: number) => void;
  /** Where requests go from now on, e.g. to a server that was started again. */
  upstream: Upstream;
  /** Requests without a complete answer; watches and held requests do not count. */
  readonly open: number;
  /** Requests so far, watches too. */
  readonly count: number;
  /** A kubeconfig like the given one, with this proxy as its server. */
  kubeconfig(ofServer: string): string;
  /** Breaks every open connection. */
  sever(): void;
  stop(): Promise<void>;
}

/**
 * An HTTPS proxy between any client and any Kubernetes API server, which does to requests and answers what a test says. Its
 * certificate is its own; a client that uses `kubeconfig` sees nothing but an API server. A plain one speaks HTTP: a client
 * that is started hundreds of times spends a third of its life on TLS.
 */
export async function startFaultProxy(upstream: Upstream, options: { plain?: boolean } = {}): Promise<FaultProxy> {
  const issue = () => ({ nowMs: Date.now(), serial: randomBytes(16) });
  const authority = makeAuthority(issue());
  const { keyPem, certificatePem, caPem } = makeServerCertificate(authority, issue());
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const sockets = new Set<Socket>();
  let count = 0;
  let open = 0;
  const { plain = false } = options;
  const server = plain
    ? createPlainServer({ keepAliveTimeout: 600_000 })
    : createServer({ key: keyPem, cert: certificatePem, keepAliveTimeout: 600_000 });
  server.on(plain ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });

  const proxy: FaultProxy & { url: string } = {
    url: '',
    caPem,
    decide: () => PASS,
    answered: () => undefined,
    upstream,
    get open() {
      return open;
    },
    get count() {
      return count;
    },
    kubeconfig: (ofServer) =>
      ofServer
        .replace(/certificate-authority-data: \S+/, `certificate-authority-data: ${base64(caPem)}`)
        .replace(/server: \S+/, `server: ${proxy.url}`),
    sever() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      proxy.sever();
      agent.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void readBody(incoming).then((body) => {
      const request = requestOf(incoming, body, ++count, false);
      const fault = proxy.decide(request);
      if (!request.isWatch && fault.do !== 'hold') {
        open += 1;
        outgoing.once('close', () => {
          open -= 1;
        });
      }
      const { upstream: to } = proxy;
      forward(request, {
        outgoing,
        fault,
        upstream: to,
        agent,
        send,
        answered: (status) => proxy.answered(request, status),
      });
    });
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const request = requestOf(incoming, '', ++count, true);
    forwardSocket(request, { incoming, socket, head, fault: proxy.decide(request), upstream: proxy.upstream });
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `${plain ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

function requestOf(incoming: IncomingMessage, body: string, number: number, isSocket: boolean): ProxiedRequest {
  const [path = '/', search = ''] = (incoming.url ?? '/').split('?', 2);
  const query = new URLSearchParams(search);
  const headers: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const isWatch = query.get('watch') === '1' || query.get('watch') === 'true';
  return { number, method: incoming.method ?? 'GET', path, query, headers, body, isWatch, isSocket };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    // The client closed the connection in the middle, so its request is not forwarded to the end either.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
