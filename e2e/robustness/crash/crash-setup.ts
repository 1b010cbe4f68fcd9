import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, startEngine } from '@/test/engine/https-engine';
import { temporaryFolder } from '@/test/programs/process';
import { PASS, type ProxiedRequest, type ProxyFault } from '../proxy/fault';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy';
import { Controllers } from './controllers';

/** A sandbox, a proxy in front of it, and controllers as processes that reach the sandbox through the proxy. */
export interface CrashSetup {
  readonly engine: Engine;
  readonly proxy: FaultProxy;
  readonly controllers: Controllers;
  /** A kubeconfig whose server is the proxy. */
  readonly kubeconfig: string;
  /** What happens to requests that have no other fault; they pass while it is not set. */
  disturb: (request: ProxiedRequest) => ProxyFault;
  /** The name of a namespace that never existed. */
  freshName(prefix: string): string;
  stop(): Promise<void>;
}

/** @param options.webhook false: the controllers have no admission webhook */
export async function startCrashSetup(
  options: { podDelayMs?: number; ahead?: boolean; webhook?: boolean } = {},
): Promise<CrashSetup> {
  const engine = await startEngine({ podDelayMs: options.podDelayMs ?? 0, controller: false });
  const proxy = await startFaultProxy({ url: engine.sandbox.url, caPem: engine.sandbox.caPem }, { plain: true });
  const kubeconfig = join(temporaryFolder('crash'), 'kubeconfig');
  writeFileSync(kubeconfig, proxy.kubeconfig(engine.sandbox.kubeconfig), { mode: 0o600 });
  const controllers = await Controllers.make(['--kubeconfig', kubeconfig], {
    ahead: options.ahead ?? true,
    webhook: options.webhook ?? true,
  });
  let count = 0;
  return {
    engine,
    proxy,
    controllers,
    kubeconfig,
    disturb: () => PASS,
    // Not a part of any object's name, as mysql-5 would be of mysql-5.7-0.3.0.
    freshName: (prefix) => `${prefix}-life${++count}`,
    async stop() {
      await controllers.stop();
      await proxy.stop();
      await engine.stop();
    },
  };
}
