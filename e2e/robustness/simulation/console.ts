import type { LiveFrame } from '@/lib/live/frames';
import { LiveStore } from '@/lib/live/store';
import { formatTopic, parseTopic, type Topic } from '@/lib/live/topic';
import type { Random } from '@/lib/random/random';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { createApi } from '@/server/kube/http-api';
import type { Transport } from '@/server/kube/transport';
import { LiveHub } from '@/server/live/hub';
import { openTopic } from '@/server/live/open-topic';
import { presentObject } from '@/server/live/present';
import { openLiveStream, type Subscription } from '@/server/live/stream';
import { silentLog } from '@/server/log/log';
import type { Copy } from '../invariants/fact';
import { truthOf } from './copies';
import type { FaultRate } from './fault-rate';
import { faultyTransport } from './faults';
import type { Simulation } from './simulation';

/** What a page of Instances subscribes to: whole objects, and one namespace of a built-in kind. */
const TOPICS: readonly Topic[] = [
  { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
  { group: 'apps', version: 'v1', resource: 'deployments' },
  { group: '', version: 'v1', resource: 'configmaps', namespace: 'sim-1' },
];

/** The console's watches and streams, and one browser that loses its connection and comes back. */
export interface SimulatedConsole {
  /** What the browser's store holds of each topic. */
  copies(): Copy[];
  /** The browser's own. */
  readonly store: LiveStore;
  close(): void;
}

/** @param network wraps the transport between the faults and the server */
export function openConsole(
  simulation: Simulation,
  seed: string,
  faultRate: FaultRate,
  network: (inner: Transport) => Transport = (inner) => inner,
): SimulatedConsole {
  const { clock } = simulation;
  const random = seededRandom(`${seed} console`);
  const transport = faultyTransport(network(simulation.direct), {
    faultRate,
    random: seededRandom(`${seed} console faults`),
    clock,
  });
  const api = createApi(simulation.cluster, { clock, random, transport });
  const hub = new LiveHub({
    open: (topic) => openTopic(topic, { api, clock, random, log: silentLog }),
    present: (object) => presentObject(object, () => undefined),
    clock,
    random,
  });
  const store = new LiveStore(clock.now());
  for (const topic of TOPICS) store.want(topic);
  const closed = new AbortController();
  const browser: Browser = { hub, store, random, faultRate, closed: closed.signal };
  void browse(simulation, browser);
  return {
    store,
    copies: () =>
      TOPICS.map((topic) => ({
        fact: 'copy',
        of: `the browser's ${formatTopic(topic)}`,
        held: heldBy(store, topic),
        truth: truthOf(simulation, topic),
      })),
    close() {
      closed.abort();
      browser.connection?.abort();
      hub.close();
    },
  };
}

interface Browser {
  readonly hub: LiveHub;
  readonly store: LiveStore;
  readonly random: Random;
  readonly faultRate: FaultRate;
  readonly closed: AbortSignal;
  /** The stream that is open now. */
  connection?: AbortController;
}

/** Opens one stream after the other, each from the cursors of the one before; a stream may break in the middle of a frame. */
async function browse(simulation: Simulation, browser: Browser): Promise<void> {
  const { hub, store, random, faultRate, closed } = browser;
  while (!closed.aborted) {
    const connection = new AbortController();
    const breaks = simulation.clock.after(5_000 + randomInteger(random, 60_000), () => {
      if (faultRate.percent > 0) connection.abort();
    });
    browser.connection = connection;
    const stream = openLiveStream({
      hub,
      subscriptions: subscriptionsOf(store),
      version: 'simulated',
      view: '',
      clock: simulation.clock,
      controllerState: () => 'running',
      signal: connection.signal,
    });
    for await (const frame of framesOf(stream)) {
      if (connection.signal.aborted) break;
      store.receive(frame, simulation.clock.now());
    }
    breaks.cancel();
  }
}

function subscriptionsOf(store: LiveStore): Subscription[] {
  return store.subscriptions().flatMap(({ topic, cursor }) => {
    const parsed = parseTopic(topic);
    return parsed === undefined ? [] : [{ topic: parsed, cursor }];
  });
}

/** Server-sent events, each `event: type`, `data: JSON`, an empty line. */
async function* framesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<LiveFrame> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as LiveFrame;
    }
  }
}

function heldBy(store: LiveStore, topic: Topic): Map<string, string> {
  const { objects } = store.view(formatTopic(topic));
  return new Map(
    objects.map(({ metadata: { namespace = '', name = '', resourceVersion = '' } }): [string, string] => [
      `${namespace}/${name}`,
      resourceVersion,
    ]),
  );
}
