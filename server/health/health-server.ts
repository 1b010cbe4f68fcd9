import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, TerminalError } from '@/lib/errors/errors';

/** Why a process is not ready, one sentence each; empty when it is. */
export type Unready = readonly string[];

export interface HealthServer {
  readonly port: number;
  stop(): Promise<void>;
}

const REQUEST_WITHIN_MS = 5_000;

/**
 * Serves `GET /healthz` (200 as long as the process answers) and `GET /readyz` (200 `ok`, or 503 with one line a reason) over HTTP on all
 * interfaces, for the probes of a pod. It says nothing else.
 *
 * @throws TerminalError when the port is taken
 */
export async function startHealthServer(port: number, unready: () => Unready): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    const reasons = path === '/readyz' ? unready() : [];
    const isKnown = path === '/readyz' || path === '/healthz';
    const status = !isKnown ? 404 : reasons.length > 0 ? 503 : 200;
    const words = !isKnown ? ['there are /healthz and /readyz'] : reasons.length > 0 ? reasons : ['ok'];
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(request.method === 'HEAD' ? undefined : `${words.join('\n')}\n`);
    request.resume();
  });
  server.headersTimeout = REQUEST_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.on('clientError', (_error, socket) => socket.destroy());
  return { port: await listening(server, port), stop: () => stopped(server) };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const message = `The health server cannot listen on port ${port}: ${messageOf(error)}. Choose another with BRAVO_HEALTH_PORT.`;
      reject(new TerminalError(message, 'PortTaken'));
    });
    server.listen(port, () => resolve((server.address() as AddressInfo).port));
  });
}

function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
