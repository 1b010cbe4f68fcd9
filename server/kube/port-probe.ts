import { type Clock, sleep } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import type { PortCheckOptions, Target } from './api';
import type { Caller } from './caller';
import { withDeadline } from './deadline';
import { openSocket } from './open-socket';
import type { ChannelSocket } from './transport';

/** The protocol of pods/portforward over WebSocket without a tunnel (Kubernetes kubelet cri/streaming/portforward websocket.go). */
const PROTOCOLS = ['v4.channel.k8s.io'] as const;

/** Channels of the first port: each begins with a message of two bytes, the port. */
const DATA = 0;
const ERROR = 1;

/** The kubelet says nothing when a connection was accepted; a refusal comes at once. */
const QUIET_MS = 1_000;

/**
 * Resolves when a port of a pod accepts a connection, which is closed then without a byte. Fails with TerminalError
 * `ConnectionRefused` when nothing listens, and otherwise as every call does.
 */
export function probePort(caller: Caller, target: Target, { port, signal }: PortCheckOptions): Promise<void> {
  const path = `${formatResourcePath({ ...target, subresource: 'portforward' })}?ports=${port}`;
  return withDeadline(caller.clock, limits.readDeadlineMs, signal, async (deadline) => {
    const socket = await openSocket(caller, { path, protocols: PROTOCOLS, signal: deadline });
    try {
      const problem = await firstProblem(socket, caller.clock, deadline);
      if (problem !== undefined) throw refusal(port, problem);
    } catch (error) {
      if (deadline.aborted) throw deadline.reason;
      throw caller.connectionError(error);
    } finally {
      socket.close();
    }
  });
}

/** What the error channel says; undefined when the port answers, or nothing is said for a second. */
async function firstProblem(socket: ChannelSocket, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  const messages = socket.messages[Symbol.asyncIterator]();
  const named = new Set<number>();
  const quiet = new AbortController();
  let silence: Promise<'quiet'> | undefined;
  try {
    for (;;) {
      const next = messages.next();
      const message = await (silence === undefined ? next : Promise.race([next, silence]));
      // A server that closes the connection by itself has accepted it before.
      if (message === 'quiet' || (message.done === true && silence !== undefined)) return undefined;
      if (message.done === true)
        throw new TransientError('The connection to the pod closed early.', 'ConnectionFailed');
      const [channel = DATA, ...payload] = message.value;
      if (named.has(channel)) return channel === ERROR ? Buffer.from(payload).toString('utf8') : undefined;
      named.add(channel);
      if (named.has(DATA) && named.has(ERROR)) {
        silence = sleep(clock, QUIET_MS, AbortSignal.any([quiet.signal, signal])).then(() => 'quiet');
        silence.catch(() => undefined);
      }
    }
  } finally {
    quiet.abort();
  }
}

function refusal(port: number, problem: string): TerminalError | TransientError {
  return /refused/i.test(problem)
    ? new TerminalError(`Port ${port} refuses connections.`, 'ConnectionRefused')
    : new TransientError(problem.slice(0, 500), 'PortForwardFailed');
}
