import { sleep } from '@/lib/clock/clock';
import { randomInteger } from '@/lib/random/random';
import { type ChannelSocket, HandshakeError, type SocketRequest, type Transport } from '@/server/kube/transport';
import type { FaultOptions } from './fault-options';
import { hang } from './requests';

/** What can happen to a command in a container: before it starts, and while its output is sent. */
const KINDS = ['refused', 'reset', 'hang', 'slow', 'cut', 'ended'] as const;

/** Opens a stream that fails at the fault rate. Deterministic for a given Random. */
export async function openFaulty(
  inner: Transport,
  request: SocketRequest,
  { faultRate, random, clock }: FaultOptions,
): Promise<ChannelSocket> {
  if (faultRate.percent === 0 || randomInteger(random, 100) >= faultRate.percent) return inner.openSocket(request);
  const kind = KINDS[randomInteger(random, KINDS.length)] ?? 'reset';
  const messages = randomInteger(random, 2);
  switch (kind) {
    case 'refused':
      throw new HandshakeError(500, '{"kind":"Status","status":"Failure","code":500,"message":"simulated: no stream"}');
    case 'reset':
      throw reset();
    case 'hang':
      return hang(request);
    case 'slow':
      await sleep(clock, 200 + randomInteger(random, 3_000), request.signal);
      return inner.openSocket(request);
    default: {
      const socket = await inner.openSocket(request);
      return { ...socket, messages: someOf(socket.messages, messages, kind) };
    }
  }
}

/** The first messages, then the end or an error. */
async function* someOf(messages: AsyncIterable<Uint8Array>, count: number, end: 'cut' | 'ended') {
  let seen = 0;
  for await (const message of messages) {
    if (seen++ === count) break;
    yield message;
  }
  if (end === 'cut') throw reset();
}

function reset(): Error {
  return Object.assign(new Error('simulated: connection reset'), { code: 'ECONNRESET' });
}
