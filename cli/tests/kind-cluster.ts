import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { kindNodes, nodeCacheVolumes, ONE_NODE, withNodeCaches } from '@/lib/harness/kind-config';
import type { TestSuite } from '@/lib/harness/suite';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import { readSuiteText } from '@/server/harness/read-texts';
import { printLine } from '../support/print-line';

const run = promisify(execFile);

/** A cluster of KIND for one run. */
export interface KindCluster {
  readonly kubeconfig: string;
  /** Writes the logs of its nodes, and deletes it unless the suite keeps it. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster with the programs `kind` and `docker` of this machine (KUTTL harness.go, kind.go).
 *
 * @param scratch a folder that is removed at the end of the run
 * @throws TerminalError when a cluster of that name runs, and for what a program says
 */
export async function startKind(suite: TestSuite, scratch: string): Promise<KindCluster> {
  const name = suite.kindContext;
  const running = (await program('kind', 'get', 'clusters')).split('\n');
  if (running.includes(name)) throw new TerminalError('KIND is already running, unable to start', 'KindRuns');
  const config = await configOf(suite);
  // What is kept after the run is not in a folder that is removed.
  const kubeconfig = join(suite.skipClusterDelete ? process.cwd() : scratch, 'kubeconfig');
  const file = join(scratch, 'kind.yaml');
  await writeFile(file, writeYaml(config));
  printLine(`Starting KIND cluster ${name} with ${kindNodes(config).length} nodes`);
  await program('kind', 'create', 'cluster', '--name', name, '--config', file, '--kubeconfig', kubeconfig);
  const stop = () => stopKind(suite, kubeconfig);
  try {
    for (const image of suite.kindContainers) await program('kind', 'load', 'docker-image', image, '--name', name);
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubeconfig, stop };
}

async function configOf(suite: TestSuite): Promise<JsonObject> {
  const config = suite.kindConfig === '' ? ONE_NODE : await readConfig(suite.kindConfig);
  if (!suite.kindNodeCache) return config;
  const caches = [];
  for (const volume of nodeCacheVolumes(config, suite.kindContext)) {
    await program('docker', 'volume', 'create', volume);
    const hostPath = await program('docker', 'volume', 'inspect', '--format', '{{ .Mountpoint }}', volume);
    caches.push({ volume, hostPath: hostPath.trim() });
  }
  return withNodeCaches(config, caches);
}

async function readConfig(path: string): Promise<JsonObject> {
  const read = readYaml(await readSuiteText(path));
  if (read.ok && isJsonObject(read.value)) return read.value;
  const [problem] = read.ok ? [] : read.problems;
  throw new TerminalError(`${path}:${problem?.line ?? 1}: ${problem?.message ?? 'must be a map'}`, 'InvalidYaml');
}

async function stopKind(suite: TestSuite, kubeconfig: string): Promise<void> {
  const name = suite.kindContext;
  const logs = join(resolve(suite.artifactsDir), `kind-logs-${Math.floor(systemClock.now() / 1_000)}`);
  await program('kind', 'export', 'logs', logs, '--name', name).catch((error: unknown) => printLine(messageOf(error)));
  if (suite.skipClusterDelete) printLine(`The cluster ${name} is kept: export KUBECONFIG="${kubeconfig}"`);
  else await program('kind', 'delete', 'cluster', '--name', name, '--kubeconfig', kubeconfig);
}

async function program(name: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await run(name, [...args])).stdout;
  } catch (error) {
    const why = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const message = why === '' ? messageOf(error) : why;
    throw new TerminalError(`${name} ${args.slice(0, 2).join(' ')} failed: ${message}`, 'KindFailed', { cause: error });
  }
}
