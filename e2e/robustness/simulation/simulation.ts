import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type Cluster, plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import type { Transport } from '@/server/kube/transport';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { directTransport } from './direct-transport';
import { freshCluster } from './fresh-cluster';
import { type SimulatedProcess, startProcess } from './process';
import { Scheduler } from './scheduler';
import type { SimulationOptions } from './simulation-options';
import { webhookNetwork } from './webhook-network';

/** Sandbox, controllers and a virtual clock in one process: for one seed always the same run. */
export interface Simulation {
  readonly clock: VirtualClock;
  readonly scheduler: Scheduler;
  readonly sandbox: Sandbox;
  readonly cluster: Cluster;
  /** The network without faults. */
  readonly direct: Transport;
  /** An Api without faults, for the users of the scenario. */
  readonly people: Api;
  /** Every controller that was ever started. */
  readonly processes: readonly SimulatedProcess[];
  startController(options?: { clockOffsetMs?: number }): Promise<SimulatedProcess>;
  stop(): Promise<void>;
}

export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { seed, podDelayMs } = options;
  const { secrets, startMs, log } = await freshCluster();
  const clock = new VirtualClock(startMs);
  const scheduler = new Scheduler(clock);
  const random = seededRandom(`${seed} sandbox`);
  const webhooks = options.hasWebhook === true ? webhooksOf(options, clock) : undefined;
  const sandbox = await startSandbox({
    ...{ port: 'none', mode: 'full', podDelayMs, clock, random, secrets, log: log() },
    postReview: webhooks?.post,
  });
  sandbox.api.watchAll(() => scheduler.touch());
  const cluster = plainCluster({ server: sandbox.url, token: sandbox.adminToken });
  const direct = directTransport(sandbox);
  const people = createApi(cluster, { clock, random: seededRandom(`${seed} people`), transport: direct });
  const processes: SimulatedProcess[] = [];
  return {
    clock,
    scheduler,
    sandbox,
    cluster,
    direct,
    people,
    processes,
    async startController({ clockOffsetMs = 0 } = {}) {
      const name = `controller-${processes.length + 1}`;
      const network = options.onWatch?.(direct) ?? direct;
      const process = await startProcess({ ...options, name, clock, cluster, network, clockOffsetMs, webhooks });
      processes.push(process);
      return process;
    },
    async stop() {
      for (const process of processes) process.crash();
      await scheduler.drive(sandbox.stop());
    },
  };
}

function webhooksOf({ seed, faultRate, onReview, tamperReview: tamper }: SimulationOptions, clock: VirtualClock) {
  return webhookNetwork({ clock, faultRate, onReview, tamper, random: seededRandom(`${seed} webhooks`) });
}
