import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { type Controller, startController } from '@/server/controller/controller';
import type { Api, RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import type { Transport } from '@/server/kube/transport';
import { silentLog } from '@/server/log/log';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { renderInThread } from '@/server/tasks/render-texts';
import { faultyTransport } from './faults';

/** Sandbox, controllers and a virtual clock in one process: for one seed always the same run. */
export interface SimulatedWorld {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  /** An Api without faults, for the people of the scenario. */
  readonly people: Api;
  /** Starts a controller; `crash` stops it without any farewell. */
  startController(): Promise<{ crash(): void }>;
  /** Lets everything that is ready happen, then the next timer, until `done` or no virtual time is left. */
  runUntil(done: () => boolean, limitMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly seed: string;
  readonly faultPercent: number;
  readonly podDelayMs: number;
  /** Hears of every call of a controller that reached the server. */
  readonly onCall?: (request: RawRequest, status: number) => void;
}

/** Turns of the event loop after which nothing more happens without a timer. */
const QUIET_TURNS = 4;

export async function makeWorld({ seed, faultPercent, podDelayMs, onCall }: WorldOptions): Promise<SimulatedWorld> {
  const clock = new VirtualClock();
  const sandbox = await startSandbox({
    port: 'none',
    mode: 'full',
    podDelayMs,
    clock,
    random: seededRandom(`${seed} sandbox`),
  });
  const cluster = plainCluster({ server: sandbox.url, token: sandbox.adminToken });
  const direct = directTransport(sandbox);
  const people = createApi(cluster, { clock, random: seededRandom(`${seed} people`), transport: direct });
  await drive(clock, installCrds(people, clock));
  const crashes: (() => void)[] = [];
  let started = 0;
  return {
    clock,
    sandbox,
    people,
    async startController() {
      const name = `controller-${++started}`;
      const random = seededRandom(`${seed} ${name}`);
      const life = { alive: true };
      const faulty = faultyTransport(direct, {
        percent: faultPercent,
        random: seededRandom(`${seed} faults ${name}`),
        clock,
        onCall: onCall ?? (() => {}),
      });
      const api = createApi(cluster, { clock, random, transport: mortal(faulty, life) });
      const controller: Controller = await startController({
        api,
        clock,
        random,
        log: silentLog,
        identity: name,
        renderTexts: renderInThread,
      });
      const crash = () => {
        if (!life.alive) return;
        life.alive = false;
        // What a dead process leaves behind: nothing. Its timers find a transport that never answers.
        void controller.stop().catch(() => {});
      };
      crashes.push(crash);
      return { crash };
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
      for (const crash of crashes) crash();
      await drive(clock, sandbox.stop());
    },
  };
}

function directTransport(sandbox: Sandbox): Transport {
  return {
    async request(request) {
      const headers = { ...request.headers, authorization: `Bearer ${sandbox.adminToken}` };
      return sandbox.inject({ ...request, headers });
    },
    openSocket: () => Promise.reject(new Error('The simulator has no sockets.')),
    close: () => Promise.resolve(),
  };
}

/** A transport of a process that may die: afterwards nothing goes out and nothing comes in. */
function mortal(inner: Transport, life: { alive: boolean }): Transport {
  const never = new Promise<never>(() => {});
  return {
    ...inner,
    async request(request) {
      if (!life.alive) return never;
      const response = await inner.request(request);
      return life.alive ? response : never;
    },
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
