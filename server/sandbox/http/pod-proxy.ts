import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { messageOf } from '@/lib/errors/errors';
import { SIMULATED_PREFIX } from '@/lib/kudo/health-checks/outcome';
import { badRequest, failure } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import { getStored, type ObjectPlace } from '../registry/registry';
import { PodConsoleError } from '../workloads/core/pod-console';
import { firstPort } from '../workloads/kubelet/pod-port';
import { consoleFailure } from './pod-log';

/** What simulated pods answer to everything that needs a port. */
export function noPorts() {
  return failure(501, 'NotImplemented', `${SIMULATED_PREFIX}: the pods have no ports`);
}

/** `pods/[SCHEME:]NAME[:PORT]/proxy/PATH`: the request goes to the pod as it is, and its answer comes back. */
export async function servePodProxy(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const { scheme, name, port } = readTarget(place.name);
  const pod = getStored(core.registry, { ...place, name }).object;
  const podConsole = core.podConsole();
  if (podConsole?.connect === undefined) throw noPorts();
  const target = { namespace: place.namespace ?? '', pod: name, port: port ?? firstPort(pod), signal: exchange.signal };
  const socket = await podConsole.connect(target).catch((error: unknown) => {
    const isDial = error instanceof PodConsoleError && error.code === 500;
    throw isDial ? unreachable(error) : consoleFailure(error);
  });
  await pass(exchange, socket, scheme);
}

function readTarget(text: string): { scheme: string; name: string; port: number | undefined } {
  const parts = text.split(':');
  const scheme = parts.length > 1 && (parts[0] === 'http' || parts[0] === 'https') ? parts.shift() : 'http';
  const [name = '', portText] = parts;
  const port = portText === undefined ? undefined : Number(portText);
  if (parts.length > 2 || (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))) {
    throw badRequest(`invalid pod request "${text}"`);
  }
  return { scheme: scheme ?? 'http', name, port };
}

function unreachable(error: unknown) {
  return failure(503, 'ServiceUnavailable', `error trying to reach service: ${messageOf(error)}`);
}

const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'authorization', 'host'];

function pass({ request, response, signal }: Exchange, socket: Socket, scheme: string): Promise<void> {
  const target = request.url ?? '/';
  const path = target.slice(target.indexOf('/proxy') + '/proxy'.length);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.includes(name)));
  const options = { method: request.method, path: path.startsWith('/') ? path : `/${path}`, headers, signal };
  // kube-apiserver does not verify the certificate of a pod either.
  const outgoing =
    scheme === 'https'
      ? tlsRequest({ ...options, createConnection: () => secure({ socket, rejectUnauthorized: false }) })
      : plainRequest({ ...options, createConnection: () => socket });
  return new Promise((resolve, reject) => {
    outgoing.once('error', (error) => (response.headersSent ? resolve() : reject(unreachable(error))));
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      response.once('close', () => {
        socket.destroy();
        resolve();
      });
    });
    request.pipe(outgoing);
  });
}
