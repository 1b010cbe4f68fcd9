import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest, internalError, type Status, StatusError } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { isTrue } from '../rbac/request-info';
import { getStored, type ObjectPlace } from '../registry/registry';
import type { PodConsole } from '../workloads/core/pod-console';
import { FIRST_SIZE, type TerminalSize } from '../workloads/kubelet/line-discipline';
import { consoleFailure, requireConsole } from './pod-log';

/**
 * Kubernetes' remote command protocol over WebSocket: each message is a channel byte and data. Channels: 0 stdin,
 * 1 stdout, 2 stderr, 3 the Status at the end, 4 terminal size, 255 (v5 only) closes the channel named next.
 */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;
const CLOSE = 255;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
});

export interface ExecUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly signal: AbortSignal;
}

/** Which pod is asked for what. */
export interface UpgradeRequest<Verb extends string> {
  readonly query: URLSearchParams;
  readonly place: ObjectPlace;
  readonly verb: Verb;
}

/** Takes an exec or attach over a WebSocket. Throws a StatusError before the upgrade when it cannot be. */
export function serveExecSocket(
  core: SandboxCore,
  upgrade: ExecUpgrade,
  wanted: UpgradeRequest<'exec' | 'attach'>,
): void {
  const podConsole = requireExec(core, wanted);
  const offered = (upgrade.request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  if (!offered.some((protocol) => PROTOCOLS.includes(protocol))) {
    throw badRequest(`unable to upgrade: the client must offer one of the subprotocols ${PROTOCOLS.join(', ')}`);
  }
  server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => {
    void runExec(podConsole, channelOf(socket), wanted, upgrade.signal);
  });
}

/** Messages of the protocol between one client and one command, whatever carries them. */
export interface ExecChannel {
  send(message: Buffer): void;
  close(): void;
  onMessage(listener: (message: Buffer) => void): void;
  /** Calls back once, when the client has disconnected. */
  onGone(listener: () => void): void;
}

function channelOf(socket: WebSocket): ExecChannel {
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close: () => socket.close(1000),
    onMessage: (listener) => void socket.on('message', listener),
    onGone(listener) {
      socket.on('close', listener);
      socket.on('error', listener);
    },
  };
}

/** The checks that come before any byte: the pod, its node, something to run. */
export function requireExec(core: SandboxCore, { query, place, verb }: UpgradeRequest<string>): PodConsole {
  const pod = getStored(core.registry, place).object;
  const node = stringAt(pod, 'spec', 'nodeName') ?? '';
  checkContainer(pod, query.get('container') ?? '', place.name);
  if (node === '') throw badRequest(`pod ${place.name} does not have a host assigned`);
  if (verb === 'exec' && query.getAll('command').length === 0)
    throw badRequest('you must specify at least 1 command for the container');
  return requireConsole(core, node);
}

function checkContainer(pod: KubeObject, container: string, name: string): void {
  if (container === '') return;
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  const known = lists.some((list) => arrayAt(pod, 'spec', list).some((each) => stringAt(each, 'name') === container));
  if (!known) throw badRequest(`container ${container} is not valid for pod ${name}`);
}

/** Runs what was asked for, from its first byte to the Status at the end. */
export async function runExec(
  podConsole: PodConsole,
  channel: ExecChannel,
  { query, place, verb }: UpgradeRequest<'exec' | 'attach'>,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  channel.onGone(() => gone.abort());
  const send = (number: number, data: Uint8Array): void => channel.send(Buffer.concat([Buffer.from([number]), data]));
  const target = { namespace: place.namespace ?? '', pod: place.name, container: query.get('container') ?? undefined };
  const either = AbortSignal.any([gone.signal, signal]);
  let status: Status;
  try {
    if (verb === 'attach') {
      for await (const chunk of podConsole.log({ ...target, follow: true, signal: either })) send(STDOUT, chunk);
      status = exitStatus(0);
    } else {
      const { exitCode } = await podConsole.exec({
        ...target,
        command: query.getAll('command'),
        tty: isTrue(query.get('tty')),
        stdin: isTrue(query.get('stdin')) ? stdinOf(channel, either) : undefined,
        terminalSize: sizeOf(channel),
        onStdout: (chunk) => send(STDOUT, chunk),
        onStderr: (chunk) => send(STDERR, chunk),
        signal: either,
      });
      status = exitStatus(exitCode);
    }
  } catch (error) {
    const known = consoleFailure(error);
    status = known instanceof StatusError ? known.status : internalError(messageOf(error)).status;
  }
  send(ERROR, Buffer.from(JSON.stringify(status)));
  channel.close();
}

/** The Status of a command that ended (client-go remotecommand v4). */
export function exitStatus(code: number): Status {
  if (code === 0) return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** The size that arrived last on channel 4. */
function sizeOf(channel: ExecChannel): () => TerminalSize {
  let size = FIRST_SIZE;
  channel.onMessage((data) => {
    if (data[0] !== RESIZE) return;
    const said = parseJsonObject(data.subarray(1).toString('utf8'));
    const [columns, rows] = [numberAt(said, 'Width') ?? 0, numberAt(said, 'Height') ?? 0];
    if (columns > 0 && rows > 0) size = { columns, rows };
  });
  return () => size;
}

/** What arrives on channel 0 from now on, until its close or the connection's. */
function stdinOf(channel: ExecChannel, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const queue: Uint8Array[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const end = (): void => {
    ended = true;
    wake();
  };
  signal.addEventListener('abort', end, { once: true });
  channel.onMessage((data) => {
    if (data[0] === CLOSE && data[1] === STDIN) return end();
    if (data[0] !== STDIN) return;
    queue.push(data.subarray(1));
    wake();
  });
  return {
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const chunk = queue.shift();
        if (chunk !== undefined) yield chunk;
        else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (queue.length > 0 || ended) resolve();
          });
      }
    },
  };
}
