import type { Clock } from '@/lib/clock/clock';
import { seededRandom } from '@/lib/random/random';
import { type Controller, startController } from '@/server/controller/controller';
import type { Cluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import type { Transport } from '@/server/kube/transport';
import { silentLog } from '@/server/log/log';
import { renderInThread } from '@/server/tasks/render-texts';
import { faultyTransport } from './faults';
import { ProcessClock } from './process-clock';
import { processTransport } from './process-transport';
import type { WorldOptions } from './world';

/** A controller as if it were a process of its own: it can be stopped for a while, and killed. */
export interface SimulatedProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly controller: Controller;
  /** Ends it without any farewell (SIGKILL). */
  crash(): void;
}

export interface ProcessOptions extends WorldOptions {
  readonly name: string;
  readonly cluster: Cluster;
  /** The network without faults. */
  readonly direct: Transport;
  /** The world's clock. */
  readonly clock: Clock;
  readonly clockOffsetMs: number;
}

export async function startProcess(options: ProcessOptions): Promise<SimulatedProcess> {
  const { seed, name, faultPercent, onCall } = options;
  const clock = new ProcessClock(options.clock, options.clockOffsetMs);
  const death = new AbortController();
  const random = seededRandom(`${seed} ${name}`);
  const faults = seededRandom(`${seed} faults ${name}`);
  const heard: Transport = {
    ...options.direct,
    async request(request) {
      const response = await options.direct.request(request);
      onCall?.({ by: process, request, status: response.status });
      return response;
    },
  };
  const faulty = faultyTransport(heard, { percent: faultPercent, random: faults, clock: options.clock });
  const transport = processTransport(faulty, clock, death.signal);
  const api = createApi(options.cluster, { clock, random, transport });
  const controller = await startController({
    api,
    clock,
    random,
    log: silentLog,
    identity: name,
    renderTexts: renderInThread,
    isGone: () => false,
  });
  const process: SimulatedProcess = {
    name,
    clock,
    controller,
    crash() {
      if (clock.isDead) return;
      clock.die();
      death.abort(new Error('The process is dead.'));
    },
  };
  return process;
}
