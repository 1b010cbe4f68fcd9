import { connect, isIP, type Socket } from 'node:net';
import { connect as secure, type TLSSocket } from 'node:tls';
import { messageOf } from '@/lib/errors/errors';
import { getAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { SIMULATED_PREFIX } from '@/lib/kudo/health-checks/outcome';
import { limits } from '@/lib/limits/limits';
import type { KeyPair } from '../tls/certificates';
import type { PodConsole } from '../workloads/core/pod-console';
import type { ApiBackend } from './resolve-backend';

/** How the sandbox reaches API servers behind Services. */
export interface BackendNetwork {
  readonly podConsole: () => PodConsole | undefined;
  /** Shows that the sandbox asks. */
  readonly certificate: KeyPair | undefined;
}

/** How the certificate of an API server is verified. */
export interface Trust {
  /** PEM; undefined means the authorities that Node knows. */
  readonly ca: string | undefined;
  readonly isUnverified: boolean;
}

export function trustOf(apiService: KubeObject): Trust {
  const bundle = stringAt(apiService, 'spec', 'caBundle') ?? '';
  return {
    ca: bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString('utf8'),
    isUnverified: getAt(apiService, 'spec', 'insecureSkipTLSVerify') === true,
  };
}

/**
 * An encrypted connection to an API server. Rejects with one sentence as Go says it.
 *
 * A pod is reached as `pods/proxy` reaches it. Other addresses are refused but for this machine's loopback, and there only a
 * server that the APIService's `caBundle` verifies is spoken to: who may write an EndpointSlice cannot reach with it what
 * else listens on this machine.
 */
export async function connectBackend(
  network: BackendNetwork,
  backend: ApiBackend,
  trust: Trust,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.aggregation.connectMs)]);
  const socket = await openSocket(network, backend, trust, deadline);
  const { certificate } = network;
  const tls = secure({
    socket,
    servername: backend.serverName,
    rejectUnauthorized: !trust.isUnverified,
    ...(trust.ca === undefined ? {} : { ca: trust.ca }),
    ...(certificate === undefined ? {} : { cert: certificate.certificatePem, key: certificate.keyPem }),
  });
  try {
    await settled(tls, 'secureConnect', deadline);
  } catch (error) {
    tls.destroy();
    throw error;
  }
  return tls;
}

async function openSocket(
  { podConsole }: BackendNetwork,
  { namespace, address, port, pod }: ApiBackend,
  trust: Trust,
  signal: AbortSignal,
): Promise<Socket> {
  if (pod !== undefined) {
    const console = podConsole();
    if (console?.connect === undefined) throw new Error(`${SIMULATED_PREFIX}: the pods have no ports`);
    return console.connect({ namespace, pod, port, signal });
  }
  if (!isLoopback(address)) {
    throw new Error(`address not allowed: ${address} is neither a pod nor the loopback address of this machine`);
  }
  if (trust.ca === undefined) {
    throw new Error(`address not allowed: ${address} is only reached with a caBundle that verifies the server`);
  }
  const socket = connect({ host: address, port });
  try {
    await settled(socket, 'connect', signal);
  } catch (error) {
    socket.destroy();
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    const why = isRefused ? 'connect: connection refused' : messageOf(error);
    throw new Error(`dial tcp ${address}:${port}: ${why}`);
  }
  return socket;
}

function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
}

/** Waits for an event of a socket, or its failure. */
function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => finish(new Error('i/o timeout'));
    const onClose = () => finish(new Error('the connection was closed'));
    const onReady = () => finish(undefined);
    const finish = (error: Error | undefined): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onReady).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once(event, onReady).once('close', onClose);
    // This listener stays: without one, Node ends the process at a later error, which the request reports.
    socket.on('error', (error) => finish(error));
  });
}
