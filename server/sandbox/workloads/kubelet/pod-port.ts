import { connect, isIP, type Socket } from 'node:net';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { PodConsoleError } from '../core/pod-console';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A connection to a port of a pod that a real node runs, at the address in its status: kube-apiserver reaches pods so for `proxy`. For
 * `portforward` it asks the kubelet, which reaches the same server unless that listens on the pod's loopback only.
 */
export async function connectToPort(pod: KubeObject, port: number, signal: AbortSignal | undefined): Promise<Socket> {
  const address = stringAt(pod.status, 'podIP') ?? '';
  if (!isProxyable(address)) throw new PodConsoleError(400, `address not allowed: pod IP "${address}"`);
  const socket = connect({ host: address, port, ...(signal === undefined ? {} : { signal }) });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('i/o timeout')));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  } catch (error) {
    throw new PodConsoleError(500, `dial tcp ${address}:${port}: ${wordsOf(error)}`);
  }
  socket.setTimeout(0);
  return socket;
}

/** Neither this machine nor the link: who may write a pod's status must not reach them (Kubernetes proxyutil.IsProxyableIP). */
function isProxyable(address: string): boolean {
  const first = address.split('.').map(Number);
  return isIP(address) === 4 && first[0] !== 127 && first[0] !== 0 && !(first[0] === 169 && first[1] === 254);
}

/** As Go says it. */
function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ECONNREFUSED') return 'connect: connection refused';
  return code === 'EHOSTUNREACH' ? 'connect: no route to host' : messageOf(error);
}

/** The first port that a container of the pod declares, for a request that names none. */
export function firstPort(pod: KubeObject): number {
  const ports = arrayAt(pod, 'spec', 'containers').flatMap((container) => arrayAt(container, 'ports'));
  const [port] = ports.flatMap((each) => {
    const number =
      each !== null && typeof each === 'object' && 'containerPort' in each ? each.containerPort : undefined;
    return typeof number === 'number' ? [number] : [];
  });
  return port ?? 80;
}
