import { type Clock, sleep } from '@/lib/clock/clock';
import type { RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';

/** Something that serves so many at once, each for its time, in the order in which they come: a processor, or an API server. */
export class Station {
  private readonly freeAtMs: number[];
  /** The sum of all times. */
  busyMs = 0;

  constructor(
    private readonly clock: Clock,
    places: number,
  ) {
    this.freeAtMs = Array.from({ length: places }, () => 0);
  }

  /** Resolves when it has been served for `ms`. */
  async use(ms: number): Promise<void> {
    const nowMs = this.clock.monotonic();
    const place = this.freeAtMs.indexOf(Math.min(...this.freeAtMs));
    const endMs = Math.max(nowMs, this.freeAtMs[place] ?? 0) + ms;
    this.freeAtMs[place] = endMs;
    this.busyMs += ms;
    await sleep(this.clock, endMs - nowMs);
  }
}

/** What takes time in the model of a cluster, in ms. */
export interface Times {
  /** The processor of a controller for each request: what its reconciles do between two of them. */
  readonly requestCpuMs: number;
  /** The processor of a controller for each event of a watch. */
  readonly eventCpuMs: number;
  /** The way there and back. */
  readonly networkMs: number;
  /** The API server for each request. */
  readonly serviceMs: number;
}

/** What has gone over the network. */
export interface Traffic {
  requests: number;
  events: number;
}

/**
 * A controller's connection: its one processor serves its requests and the events that it receives, one after the other; then a request waits
 * for the network and for a place at the API server.
 */
export function timedTransport(
  transport: Transport,
  connection: {
    readonly clock: Clock;
    readonly processor: Station;
    readonly apiServer: Station;
    readonly traffic: Traffic;
  },
  times: Times,
): Transport {
  const { clock, processor, apiServer, traffic } = connection;
  const received = async (events: number) => {
    traffic.events += events;
    await processor.use(events * times.eventCpuMs);
  };
  return {
    ...transport,
    async request(request) {
      const isWatch = request.path.includes('watch=');
      if (!isWatch) traffic.requests += 1;
      await processor.use(times.requestCpuMs);
      await sleep(clock, times.networkMs);
      await apiServer.use(times.serviceMs);
      const response = await transport.request(request);
      return isWatch ? { ...response, body: timedEvents(response, received) } : response;
    },
  };
}

const NEW_LINE = 10;

/**
 * The events of a watch. All that have arrived wait for the processor in the order of their arrival, whether somebody asks for them or not, as
 * those in the buffer of a socket do.
 */
async function* timedEvents({ body }: RawResponse, received: (events: number) => Promise<void>) {
  const arrived: Promise<Uint8Array>[] = [];
  const iterator = body[Symbol.asyncIterator]();
  let end: { readonly problem?: unknown } | undefined;
  let wake = () => {};
  const read = async (): Promise<void> => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const chunk = next.value;
      arrived.push(received(chunk.filter((byte) => byte === NEW_LINE).length).then(() => chunk));
      wake();
    }
  };
  read()
    .then(
      () => {
        end = {};
      },
      (problem: unknown) => {
        end = { problem };
      },
    )
    .finally(() => wake());
  try {
    for (;;) {
      const next = arrived.shift();
      if (next !== undefined) yield await next;
      else if (end !== undefined) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (end.problem !== undefined) throw end.problem;
  } finally {
    await iterator.return?.();
  }
}
