import { request } from 'node:https';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { formatTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';
import type { WorkloadContext } from '../core/context';
import {
  type ContainerTarget,
  type ExecRequest,
  type ExecResult,
  type LogRequest,
  type PodConsole,
  PodConsoleError,
  type PortTarget,
} from '../core/pod-console';
import { resources } from '../core/resources';
import { connectToPort } from './pod-port';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const RESIZE = 4;
const CLOSE_STDIN = Buffer.from([255, STDIN]);

/**
 * `pods/log` and `pods/exec` of pods that a real kubelet runs: asked for at the kubelet endpoint of the pod's Node, as kube-apiserver
 * does (pkg/kubelet/client). The certificate is not verified, as without --kubelet-certificate-authority.
 */
export class NodeConsole implements PodConsole {
  constructor(private readonly context: WorkloadContext) {}

  async *log(target: LogRequest): AsyncGenerator<Uint8Array> {
    const query = new URLSearchParams();
    const { tailLines, limitBytes, sinceTimeMs } = target;
    if (target.follow === true) query.set('follow', 'true');
    if (target.previous === true) query.set('previous', 'true');
    if (target.timestamps === true) query.set('timestamps', 'true');
    if (tailLines !== undefined) query.set('tailLines', String(tailLines));
    if (limitBytes !== undefined) query.set('limitBytes', String(limitBytes));
    if (sinceTimeMs !== undefined) query.set('sinceTime', formatTime(sinceTimeMs));
    const url = `https://${this.pathOf('containerLogs', target)}?${query.toString()}`;
    const response = await open(url, target.signal);
    if (response.statusCode !== 200) {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      throw new PodConsoleError(400, Buffer.concat(chunks).toString('utf8').trim());
    }
    try {
      for await (const chunk of response) yield chunk as Buffer;
    } catch (error) {
      // The client has disconnected.
      if (target.signal?.aborted !== true) throw error;
    }
  }

  exec(request: ExecRequest): Promise<ExecResult> {
    const query = new URLSearchParams({
      output: '1',
      error: '1',
      ...(request.stdin === undefined ? {} : { input: '1' }),
      ...(request.tty ? { tty: '1' } : {}),
    });
    for (const part of request.command) query.append('command', part);
    const url = `wss://${this.pathOf('exec', request)}?${query.toString()}`;
    const socket = new WebSocket(url, ['v4.channel.k8s.io'], { rejectUnauthorized: false });
    request.signal?.addEventListener('abort', () => socket.terminate(), { once: true });
    socket.once('open', () => void feed(socket, request));
    return new Promise((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const payload = data.subarray(1);
        if (data[0] === STDOUT) request.onStdout(payload);
        else if (data[0] === STDERR) request.onStderr(payload);
        else if (data[0] === STATUS) {
          const exitCode = exitCodeOf(payload.toString('utf8'));
          if (typeof exitCode === 'number') resolve({ exitCode });
          else reject(new PodConsoleError(500, exitCode));
        }
      });
      socket.once('error', (error) => reject(new PodConsoleError(500, messageOf(error))));
      socket.once('close', () => reject(new PodConsoleError(500, 'the connection to the node was closed')));
    });
  }

  async connect({ namespace, pod: name, port, signal }: PortTarget): Promise<Socket> {
    const pod = this.context.get(resources.pods, namespace, name);
    if (pod === undefined) throw new PodConsoleError(404, `pods "${name}" not found`);
    return connectToPort(pod, port, signal);
  }

  /** Host, port and path of a container at its node. */
  private pathOf(verb: string, { namespace, pod: name, container }: ContainerTarget): string {
    const pod = this.context.get(resources.pods, namespace, name);
    if (pod === undefined) throw new PodConsoleError(404, `pods "${name}" not found`);
    const nodeName = stringAt(pod, 'spec', 'nodeName');
    if (nodeName === undefined) throw new PodConsoleError(400, `pod ${name} does not have a host assigned`);
    const node = this.context.get(resources.nodes, '', nodeName);
    const port = numberAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port');
    const addresses = arrayAt(node, 'status', 'addresses');
    const address = stringAt(
      addresses.find((each) => stringAt(each, 'type') === 'InternalIP'),
      'address',
    );
    if (port === undefined || address === undefined) throw new PodConsoleError(400, `nodes "${nodeName}" not found`);
    const names = arrayAt(pod, 'spec', 'containers').map((each) => stringAt(each, 'name') ?? '');
    const chosen = container || pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    if (!chosen && names.length > 1) {
      const message = `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`;
      throw new PodConsoleError(400, message);
    }
    return `${address}:${port}/${verb}/${namespace}/${name}/${chosen || names[0]}`;
  }
}

function open(url: string, signal: AbortSignal | undefined): Promise<import('node:http').IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { rejectUnauthorized: false, ...(signal === undefined ? {} : { signal }) }, resolve);
    sent.once('error', (error) => reject(new PodConsoleError(500, messageOf(error))));
    sent.end();
  });
}

/** Sends what is typed; before it the size of the terminal, when that has changed. */
async function feed(socket: WebSocket, { stdin, tty, terminalSize }: ExecRequest): Promise<void> {
  let told = '';
  const tellSize = () => {
    const size = tty ? terminalSize?.() : undefined;
    const text = size === undefined ? '' : JSON.stringify({ Width: size.columns, Height: size.rows });
    if (text === told) return;
    told = text;
    socket.send(Buffer.concat([Buffer.from([RESIZE]), Buffer.from(text)]));
  };
  tellSize();
  if (stdin === undefined) return;
  for await (const chunk of stdin) {
    tellSize();
    socket.send(Buffer.concat([Buffer.from([STDIN]), chunk]));
  }
  if (socket.readyState === WebSocket.OPEN) socket.send(CLOSE_STDIN);
}

/** The exit code that a Status says, or why the command did not run. */
function exitCodeOf(text: string): number | string {
  const status = parseJsonObject(text);
  if (stringAt(status, 'status') === 'Success') return 0;
  const cause = arrayAt(status, 'details', 'causes').find((each) => stringAt(each, 'reason') === 'ExitCode');
  if (cause !== undefined) return Number(stringAt(cause, 'message'));
  return stringAt(status, 'message') ?? 'the command did not run';
}
