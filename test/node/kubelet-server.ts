import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '@/lib/errors/errors';
import { numberAt, parseJsonObject } from '@/lib/json/json';
import { makeAuthority, makeServerCertificate } from '@/server/sandbox/tls/certificates';
import type { ExecOutput } from './container-runtime';
import type { ExecTerminal } from './exec-terminal';
import type { LogFile, LogQuery } from './log-file';

/** What the endpoint serves of a container. */
export interface ServedContainer {
  readonly log: LogFile | undefined;
  readonly previousLog: LogFile | undefined;
  /** Resolves with the exit code. */
  exec(command: readonly string[], output: ExecOutput): Promise<number>;
}

/** Finds a container by namespace, pod and name. */
export type FindContainer = (namespace: string, pod: string, container: string) => ServedContainer | undefined;

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const SIZE = 4;
const CLOSE = 255;

/**
 * The kubelet's endpoint that API servers use for `pods/log` and `pods/exec`: `GET /containerLogs/NAMESPACE/POD/CONTAINER`, and
 * `/exec/NAMESPACE/POD/CONTAINER` as a WebSocket with v4.channel.k8s.io. It asks for no credentials: it listens on an address
 * that only this machine reaches.
 */
export function startKubeletServer(address: string, port: number, find: FindContainer): Promise<Server> {
  const issue = { nowMs: Date.now(), serial: Buffer.from([1]) };
  const { certificatePem, keyPem } = makeServerCertificate(makeAuthority(issue), {
    ...issue,
    serial: Buffer.from([2]),
  });
  const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    serveLog(request, response, find).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(messageOf(error));
    });
  });
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' });
  server.on('upgrade', (request, socket, head) => {
    const target = targetOf(request, 'exec', find);
    if (target?.container === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const { container, query } = target;
    sockets.handleUpgrade(request, socket, head, (client) => void serveExec(client, container, query));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve(server));
  });
}

function targetOf(request: IncomingMessage, verb: string, find: FindContainer) {
  const url = new URL(request.url ?? '/', 'https://node');
  const [first, namespace = '', pod = '', name = ''] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (first !== verb) return undefined;
  return { container: find(namespace, pod, name), query: url.searchParams, name, pod };
}

async function serveLog(request: IncomingMessage, response: ServerResponse, find: FindContainer): Promise<void> {
  const target = targetOf(request, 'containerLogs', find);
  if (target?.container === undefined) {
    response.writeHead(404).end('not found');
    return;
  }
  const { container, query, name, pod } = target;
  const isPrevious = query.get('previous') === 'true';
  const log = isPrevious ? container.previousLog : container.log;
  if (log === undefined) {
    const waiting = `container "${name}" in pod "${pod}" is waiting to start: ContainerCreating`;
    const missing = `previous terminated container "${name}" in pod "${pod}" not found`;
    response.writeHead(400).end(isPrevious ? missing : waiting);
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  for await (const chunk of log.read(logQuery(query), gone.signal)) response.write(chunk);
  response.end();
}

function logQuery(query: URLSearchParams): LogQuery {
  const number = (name: string) => (query.get(name) === null ? undefined : Number(query.get(name)));
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = query.get('sinceTime');
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
    sinceMs:
      sinceSeconds !== undefined
        ? Date.now() - sinceSeconds * 1_000
        : sinceTime === null
          ? undefined
          : Date.parse(sinceTime),
  };
}

async function serveExec(client: WebSocket, container: ServedContainer, query: URLSearchParams): Promise<void> {
  const gone = new AbortController();
  client.on('close', () => gone.abort());
  client.on('error', () => gone.abort());
  const send = (channel: number, data: Uint8Array) => {
    if (client.readyState === client.OPEN) client.send(Buffer.concat([Buffer.from([channel]), data]));
  };
  let status: object;
  try {
    const code = await container.exec(query.getAll('command'), {
      onStdout: (chunk) => send(STDOUT, chunk),
      onStderr: (chunk) => send(STDERR, chunk),
      stdin: query.get('input') === '1' ? inputOf(client) : undefined,
      signal: gone.signal,
      terminal: query.get('tty') === '1' ? await terminalOf(client) : undefined,
    });
    status = code === 0 ? { metadata: {}, status: 'Success' } : exitStatus(code);
  } catch (error) {
    status = { metadata: {}, status: 'Failure', reason: 'InternalError', message: messageOf(error), code: 500 };
  }
  send(STATUS, Buffer.from(JSON.stringify(status)));
  client.close(1000);
}

function exitStatus(code: number): object {
  const message = `command terminated with exit code ${code}`;
  const causes = [{ reason: 'ExitCode', message: String(code) }];
  return { metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details: { causes } };
}

/** How long a client may take to say its size; kubectl says it at once. */
const SIZE_WITHIN_MS = 500;

/** The terminal of a client, with the size that it says first. */
async function terminalOf(client: WebSocket): Promise<ExecTerminal> {
  const listeners: Parameters<ExecTerminal['onSize']>[0][] = [];
  const size = await new Promise<ExecTerminal['size']>((resolve) => {
    const late = setTimeout(() => resolve({ columns: 80, rows: 24 }), SIZE_WITHIN_MS);
    client.on('message', (data: Buffer) => {
      const said = data[0] === SIZE ? parseJsonObject(data.subarray(1).toString()) : undefined;
      const [columns, rows] = [numberAt(said, 'Width') ?? 0, numberAt(said, 'Height') ?? 0];
      if (columns <= 0 || rows <= 0) return;
      clearTimeout(late);
      resolve({ columns, rows });
      for (const listener of listeners) listener({ columns, rows });
    });
  });
  return { size, onSize: (listener) => void listeners.push(listener) };
}

/** What arrives on channel 0, until a message that closes it. */
function inputOf(client: WebSocket): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let hasEnded = false;
  let wake: () => void = () => undefined;
  const end = () => {
    hasEnded = true;
    wake();
  };
  client.on('close', end);
  client.on('message', (data: Buffer) => {
    if (data[0] === CLOSE && data[1] === STDIN) end();
    else if (data[0] === STDIN) chunks.push(data.subarray(1));
    wake();
  });
  // Listening begins before the first chunk is asked for.
  return (async function* () {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  })();
}
