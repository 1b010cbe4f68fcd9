import { setMaxListeners } from 'node:events';
import type { Clock } from '@/lib/clock/clock';
import { seededRandom } from '@/lib/random/random';
import { DEFAULT_PIPES } from '@/server/config/pipes';
import { type Controller, startController } from '@/server/controller/controller';
import type { Cluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import type { Transport } from '@/server/kube/transport';
import { silentLog } from '@/server/log/log';
import { renderInThread } from '@/server/tasks/render-texts';
import { runController } from '@/server/workers/run-controller';
import { faultyTransport } from './faults';
import { ProcessClock } from './process-clock';
import { processTransport } from './process-transport';
import type { SimulationOptions } from './simulation-options';
import type { WebhookNetwork } from './webhook-network';

/** The deadline is wall time, so that it outlives a process, and simulated clocks jump by an hour again and again: it is long here. */
const PIPE_TIMEOUT_MS = 30 * 24 * 3_600_000;

/** A controller that behaves like a process of its own: it can be suspended, resumed and killed. */
export interface SimulatedProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly controller: Controller;
  /** Kills it (SIGKILL): it sends nothing more. */
  crash(): void;
}

export interface ProcessOptions extends SimulationOptions {
  readonly name: string;
  readonly cluster: Cluster;
  /** The network without faults. */
  readonly network: Transport;
  /** The simulation's clock. */
  readonly clock: Clock;
  readonly clockOffsetMs: number;
  /** Instances reconciled at once. */
  readonly concurrency?: number;
  /** Undefined: no admission webhook, as in a cluster that does not reach the controller. */
  readonly webhooks: WebhookNetwork | undefined;
}

export async function startProcess(options: ProcessOptions): Promise<SimulatedProcess> {
  const { seed, name } = options;
  const clock = new ProcessClock(options.clock, options.clockOffsetMs);
  const death = new AbortController();
  // Every watch and every stream adds a listener: more than ten are no leak.
  setMaxListeners(0, death.signal);
  const random = seededRandom(`${seed} ${name}`);
  const api = createApi(options.cluster, { clock, random, transport: transportOf(options, clock, death.signal) });
  const controller = await start(options, clock, {
    api,
    clock,
    random,
    log: silentLog,
    identity: name,
    shards: options.shards ?? 1,
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    pipePods: { ...DEFAULT_PIPES, timeoutMs: PIPE_TIMEOUT_MS },
    renderTexts: options.renderTexts ?? ((batch) => renderInThread({ ...batch, hasDraftKeys: true })),
    isGone: () => false,
  });
  return {
    name,
    clock,
    controller,
    crash() {
      if (clock.isDead) return;
      clock.die();
      death.abort(new Error('The process is dead.'));
    },
  };
}

/** The sandbox calls the webhook of a controller at a port of the loopback interface. */
const BESIDE_THE_SANDBOX = { name: 'bravo-sandbox', server: 'https://127.0.0.1:6440', namespace: 'default' } as const;
const AT_ANY_PORT = { mode: 'auto', url: undefined, service: undefined, port: undefined } as const;

function start(
  { webhooks }: ProcessOptions,
  clock: ProcessClock,
  options: Parameters<typeof startController>[0],
): Promise<Controller> {
  if (webhooks === undefined) return startController(options);
  const serveWebhook = webhooks.serveOf(clock);
  return runController({ ...options, cluster: BESIDE_THE_SANDBOX, webhook: AT_ANY_PORT, serveWebhook });
}

/** Controller → process that may be suspended → faults of the network → observer → server. */
function transportOf(options: ProcessOptions, clock: ProcessClock, death: AbortSignal): Transport {
  const { seed, name, network, faultRate, onCall } = options;
  const heard: Transport = {
    ...network,
    async request(request) {
      const response = await network.request(request);
      onCall?.({ by: name, request, status: response.status });
      return response;
    },
    async openSocket(request) {
      const socket = await network.openSocket(request);
      onCall?.({ by: name, request: { method: 'GET', path: request.path }, status: 101 });
      return socket;
    },
  };
  const random = seededRandom(`${seed} faults ${name}`);
  return processTransport(faultyTransport(heard, { faultRate, random, clock: options.clock }), clock, death);
}
