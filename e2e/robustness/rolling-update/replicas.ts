import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '@/test/engine/https-engine';
import { freePort, type Running, startNode, temporaryFolder } from '@/test/programs/process';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy';

/** A busy machine starts a process slowly. */
const STARTED_WITHIN_MS = 180_000;

/** A controller process with a proxy of its own, which shows who sent which request. */
export interface ControllerReplica {
  readonly running: Running;
  readonly proxy: FaultProxy;
}

export interface ConsoleReplica {
  readonly running: Running;
  readonly base: string;
}

/** @param bundle folder with `cli.mjs`: the version that is started */
export async function startControllerReplica(
  engine: Engine,
  bundle: string,
  environment: { readonly [name: string]: string } = {},
): Promise<ControllerReplica> {
  const proxy = await startFaultProxy({ url: engine.sandbox.url, caPem: engine.sandbox.caPem });
  const kubeconfig = join(temporaryFolder('rolling'), 'kubeconfig');
  writeFileSync(kubeconfig, proxy.kubeconfig(engine.sandbox.kubeconfig), { mode: 0o600 });
  const code = `const { main } = await import(${JSON.stringify(join(bundle, 'cli.mjs'))}); await main(process.argv.slice(1));`;
  const running = startNode(['--input-type=module', '-e', code, 'controller', '--kubeconfig', kubeconfig], environment);
  await running.printed('controller.started', STARTED_WITHIN_MS);
  return { running, proxy };
}

/** @param bundle folder with `main.mjs`: the version that is started */
export async function startConsoleReplica(engine: Engine, bundle: string): Promise<ConsoleReplica> {
  const folder = temporaryFolder('rolling');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, engine.sandbox.kubeconfig, { mode: 0o600 });
  const port = await freePort();
  const code = `const { main } = await import(${JSON.stringify(join(bundle, 'main.mjs'))}); await main({ dev: false });`;
  const running = startNode(['--input-type=module', '-e', code], {
    PORT: String(port),
    BRAVO_DATA: join(folder, 'data'),
    BRAVO_CONTROLLER: 'off',
    BRAVO_DRAIN_SECONDS: '1',
    KUBECONFIG: kubeconfig,
  });
  await running.printed('Bravo is ready', STARTED_WITHIN_MS);
  return { running, base: `http://127.0.0.1:${port}` };
}
