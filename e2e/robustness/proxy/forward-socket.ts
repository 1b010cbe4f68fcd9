import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { ProxiedRequest, ProxyFault } from './fault';
import type { Upstream } from './upstream';

interface SocketForwarding {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** What the client sent right after its request. */
  readonly head: Buffer;
  readonly fault: ProxyFault;
  readonly upstream: Upstream;
}

/** Forwards a WebSocket byte by byte, or applies the fault. */
export function forwardSocket(request: ProxiedRequest, forwarding: SocketForwarding): void {
  const { incoming, socket, head, fault, upstream } = forwarding;
  if (fault.do === 'hold') return;
  if (fault.do === 'reset') {
    socket.destroy();
    return;
  }
  if (fault.do === 'answer') {
    const body = fault.body ?? '';
    socket.end(
      `HTTP/1.1 ${fault.status} Fault\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return;
  }
  const { hostname, port } = new URL(upstream.url);
  const server = connect({ host: hostname, port: Number(port), ca: upstream.caPem }, () => {
    const lines = [`${request.method} ${incoming.url} HTTP/1.1`];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
    }
    server.write(`${lines.join('\r\n')}\r\n\r\n`);
    server.write(head);
    server.pipe(socket);
    socket.pipe(server);
  });
  const end = () => {
    server.destroy();
    socket.destroy();
  };
  server.on('error', end);
  socket.on('error', end);
  server.once('close', () => {
    socket.end();
    if (fault.do === 'pass') fault.done?.();
    if (fault.do === 'lose') fault.done?.();
  });
  socket.once('close', end);
}
