import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConsoleProcess, startConsoleProcess } from '../../test/programs/console-process';
import { workerConsole } from '../../test/programs/worker-console';

interface SecondOptions {
  /** Impersonated, so that this console has only the permissions of that user. */
  readonly as?: string;
  /** The namespace that the kubeconfig's context names. */
  readonly namespace?: string;
  /** Another port of the API, for a connection that can be cut. */
  readonly port?: number;
}

/** Where the API of the sandbox under test listens. */
export function sandboxPort(): number {
  return Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(sandboxKubeconfig())?.[1]);
}

/** A second console on the cluster of the first one, as on a user's own cluster: with a kubeconfig, and without a controller. */
export function startSecondConsole({ as, port, namespace }: SecondOptions): Promise<ConsoleProcess> {
  const text = sandboxKubeconfig()
    .replace(/127\.0\.0\.1:\d+/, (address) => (port === undefined ? address : `127.0.0.1:${port}`))
    .replace(/^( +)token: .*$/m, (line, indent) => (as === undefined ? line : `${line}\n${indent}as: ${as}`))
    .replace(/^( +namespace: ).*$/m, (line, head) => (namespace === undefined ? line : `${head}${namespace}`));
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'bravo-second-')), 'kubeconfig');
  writeFileSync(kubeconfig, text);
  return startConsoleProcess({ KUBECONFIG: kubeconfig, BRAVO_CONTROLLER: 'off' });
}

function sandboxKubeconfig(): string {
  return readFileSync(join(workerConsole().folder, 'kubeconfig'), 'utf8');
}
