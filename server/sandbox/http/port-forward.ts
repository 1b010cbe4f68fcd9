import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '@/lib/errors/errors';
import { badRequest } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type ExecUpgrade, requireExec, type UpgradeRequest } from './exec-socket';
import { noPorts } from './pod-proxy';

/** Channels of the one port that is forwarded; each begins with two bytes, the port (kubelet cri/streaming/portforward websocket.go). */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;

const server = new WebSocketServer({ noServer: true, clientTracking: false, handleProtocols: () => PROTOCOL });

/** Takes a portforward of one port over a WebSocket. Throws a StatusError before the upgrade when it cannot be. */
export function servePortForward(core: SandboxCore, upgrade: ExecUpgrade, wanted: UpgradeRequest<'portforward'>): void {
  const podConsole = requireExec(core, wanted);
  const { connect } = podConsole;
  if (connect === undefined) throw noPorts();
  const offered = (upgrade.request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  if (!offered.includes(PROTOCOL))
    throw badRequest(`unable to upgrade: the client must offer the subprotocol ${PROTOCOL}`);
  const ports = wanted.query.getAll('ports').flatMap((each) => each.split(','));
  const port = Number(ports[0]);
  if (ports.length !== 1 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw badRequest('the sandbox forwards exactly one port of a pod');
  }
  const { namespace = '', name: pod } = wanted.place;
  server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (client) => {
    const signal = upgrade.signal;
    void forward(client, port, () => connect.call(podConsole, { namespace, pod, port, signal }));
  });
}

async function forward(client: WebSocket, port: number, connect: () => Promise<Socket>): Promise<void> {
  const send = (channel: number, data: Uint8Array) => {
    if (client.readyState === client.OPEN) client.send(Buffer.concat([Buffer.from([channel]), data]));
  };
  const bytes = Buffer.from([port & 0xff, port >> 8]);
  send(DATA, bytes);
  send(ERROR, bytes);
  const early: Buffer[] = [];
  let socket: Socket | undefined;
  client.on('message', (message: Buffer) => {
    if (message[0] !== DATA) return;
    if (socket === undefined) early.push(message.subarray(1));
    else socket.write(message.subarray(1));
  });
  client.on('close', () => socket?.destroy());
  client.on('error', () => socket?.destroy());
  try {
    socket = await connect();
  } catch (error) {
    send(ERROR, Buffer.from(`error forwarding port ${port}: ${messageOf(error)}`));
    client.close(1000);
    return;
  }
  if (client.readyState !== client.OPEN) socket.destroy();
  for (const chunk of early) socket.write(chunk);
  socket.on('data', (chunk: Buffer) => send(DATA, chunk));
  socket.on('error', () => client.close(1000));
  socket.on('close', () => client.close(1000));
}
