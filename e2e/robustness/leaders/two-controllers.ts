import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { type Running, temporaryFolder } from '@/test/programs/process';
import { Controllers } from '../crash/controllers';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy';

/** A controller process with a proxy of its own, which shows who sent which request. */
export interface Contender {
  readonly name: string;
  readonly proxy: FaultProxy;
  running: Running;
  /** How many such lines it has logged. */
  said(text: string): number;
  /** Starts the process again after its end. */
  start(): Promise<void>;
}

/** One cluster and two controllers. */
export interface TwoControllers {
  readonly engine: Engine;
  readonly contenders: readonly [Contender, Contender];
  /** The holder of the lease. */
  leader(): Contender | undefined;
  other(than: Contender): Contender;
  freshNamespace(prefix: string): Promise<string>;
  /** Waits until a condition is true. */
  until(what: string, isSo: () => boolean, withinMs?: number): Promise<number>;
  stop(): Promise<void>;
}

const TURN_MS = 5;

const LEASE = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  namespace: 'default',
  name: 'bravo-controller',
};

export async function startTwoControllers(leaseSeconds: number | undefined): Promise<TwoControllers> {
  const engine = await startEngine({ podDelayMs: 0, controller: false });
  const contenders = [await contender('a'), await contender('b')] as const;
  let count = 0;

  async function contender(name: string): Promise<Contender> {
    const proxy = await startFaultProxy({ url: engine.sandbox.url, caPem: engine.sandbox.caPem });
    const kubeconfig = join(temporaryFolder('leaders'), 'kubeconfig');
    writeFileSync(kubeconfig, proxy.kubeconfig(engine.sandbox.kubeconfig), { mode: 0o600 });
    const duration = leaseSeconds === undefined ? [] : ['--lease-duration', String(leaseSeconds)];
    const controllers = await Controllers.make(['--kubeconfig', kubeconfig, ...duration], { ahead: false });
    const made: Contender = {
      name,
      proxy,
      running: await controllers.startBeside(),
      said: (text) => made.running.output().split(text).length - 1,
      async start() {
        made.running = await controllers.startBeside();
      },
    };
    return made;
  }

  const leader = () => {
    const spec = engine.sandbox.api.get(LEASE)?.spec as { holderIdentity?: string } | undefined;
    const pid = spec?.holderIdentity?.split('/')[1];
    return contenders.find(({ running }) => String(running.child.pid) === pid);
  };
  return {
    engine,
    contenders,
    leader,
    other: (than) => (contenders[0] === than ? contenders[1] : contenders[0]),
    async freshNamespace(prefix) {
      // Not a part of any object's name, as mysql-5 would be of mysql-5.7-0.3.0.
      const name = `${prefix}-life${++count}`;
      await createNamespace(engine.api, name);
      return name;
    },
    until,
    async stop() {
      for (const { running, proxy } of contenders) {
        running.child.kill('SIGCONT');
        running.child.kill('SIGKILL');
        await running.exited();
        await proxy.stop();
      }
      await engine.stop();
    },
  };
}

/** Turns are counted, not timed: when the machine does not run this process for minutes, time has no meaning. */
async function until(what: string, isSo: () => boolean, withinMs = 180_000): Promise<number> {
  const startedMs = performance.now();
  for (let turns = 0; !isSo(); turns++) {
    if (turns > withinMs / TURN_MS) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
  return performance.now() - startedMs;
}
