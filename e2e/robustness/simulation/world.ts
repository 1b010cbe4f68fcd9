import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import type { Api, RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import type { Transport } from '@/server/kube/transport';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { loadSecrets, type Secrets } from '@/server/sandbox/tls/secrets';
import { type SimulatedProcess, startProcess } from './process';

/** Sandbox, controllers and a virtual clock in one process: for one seed always the same run. */
export interface SimulatedWorld {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  /** An Api without faults, for the people of the scenario. */
  readonly people: Api;
  /** Every controller that was ever started. */
  readonly processes: readonly SimulatedProcess[];
  startController(options?: { clockOffsetMs?: number }): Promise<SimulatedProcess>;
  /** Lets everything that is ready happen, then the next timer, until `done` or no virtual time is left. */
  runUntil(done: () => boolean, limitMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

/** A request of a controller that has reached the server, and what came of it. */
export interface Call {
  readonly by: SimulatedProcess;
  readonly request: RawRequest;
  readonly status: number;
}

export interface WorldOptions {
  readonly seed: string;
  readonly faultPercent: number;
  readonly podDelayMs: number;
  /** Hears of every call of a controller that reached the server. */
  readonly onCall?: (call: Call) => void;
}

/** Turns of the event loop after which nothing more happens without a timer. */
const QUIET_TURNS = 3;

let secrets: Secrets | undefined;

export async function makeWorld(options: WorldOptions): Promise<SimulatedWorld> {
  const { seed, podDelayMs } = options;
  const clock = new VirtualClock();
  secrets ??= loadSecrets(undefined, clock, seededRandom('secrets'));
  const random = seededRandom(`${seed} sandbox`);
  const sandbox = await startSandbox({ port: 'none', mode: 'full', podDelayMs, clock, random, secrets });
  const cluster = plainCluster({ server: sandbox.url, token: sandbox.adminToken });
  const direct = directTransport(sandbox);
  const people = createApi(cluster, { clock, random: seededRandom(`${seed} people`), transport: direct });
  await drive(clock, installCrds(people, clock));
  const processes: SimulatedProcess[] = [];
  return {
    clock,
    sandbox,
    people,
    processes,
    async startController({ clockOffsetMs = 0 } = {}) {
      const name = `controller-${processes.length + 1}`;
      const process = await startProcess({ ...options, name, clock, cluster, direct, clockOffsetMs });
      processes.push(process);
      return process;
    },
    async runUntil(done, limitMs) {
      const endMs = clock.now() + limitMs;
      for (;;) {
        await turns(QUIET_TURNS);
        if (done()) return true;
        const dueMs = clock.nextDueMs();
        if (dueMs === undefined || dueMs > endMs) return false;
        clock.runNext();
      }
    },
    async stop() {
      for (const process of processes) process.crash();
      await drive(clock, sandbox.stop());
    },
  };
}

function directTransport(sandbox: Sandbox): Transport {
  const authorization = `Bearer ${sandbox.adminToken}`;
  return {
    request: (request) => sandbox.inject({ ...request, headers: { ...request.headers, authorization } }),
    openSocket: () => Promise.reject(new Error('The simulator has no sockets.')),
    close: () => Promise.resolve(),
  };
}

/** Runs a promise to its end while the virtual clock goes on as needed. */
export async function drive<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  watched.catch(() => {});
  while (!settled) {
    await turns(QUIET_TURNS);
    if (!settled) clock.runNext();
  }
  return watched;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
