import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { TestSuite } from '@/lib/harness/suite';
import { writeYaml } from '@/lib/yaml/yaml';
import type { HarnessCluster } from '@/server/harness/harness';
import { type Pace, realPace } from '@/server/harness/pace';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { KindIndex } from '@/server/kube/kinds';
import { readKubeconfig } from '@/server/kube/kubeconfig-files';
import { startKind } from './kind-cluster';
import type { ClusterFlags } from './run-tests';

/** The cluster of a run, and those that steps name. */
export interface SuiteCluster {
  readonly cluster: HarnessCluster;
  readonly pace: Pace;
  /** Nothing there deletes namespaces. */
  readonly cannotDelete: boolean;
  open(kubeconfig: string, context: string): HarnessCluster;
  stop(): Promise<void>;
}

const DEFAULT_POD_DELAY_SECONDS = 3;

/**
 * Opens the cluster of a suite: a sandbox of its own (`--sandbox`; `startControlPlane`: one in which nothing moves), else that of
 * the kubeconfig.
 *
 * @param scratch a folder that is removed at the end
 */
export async function openTestCluster(suite: TestSuite, flags: ClusterFlags, scratch: string): Promise<SuiteCluster> {
  const opened: ClosableApi[] = [];
  const own = await openOwn(suite, flags, scratch);
  const known = new Map<string, HarnessCluster>();
  return {
    cluster: { api: own.api, kinds: new KindIndex(own.api), kubeconfig: own.kubeconfig },
    pace: own.pace,
    cannotDelete: suite.startControlPlane && flags.sandbox !== true,
    open(path, context) {
      const kubeconfig = path === '' ? own.kubeconfig : path;
      const key = `${kubeconfig}\n${context}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const chosen = context === '' ? {} : { context };
      const api = createApi(loadCluster({ kubeconfigPath: kubeconfig, ...chosen }), {
        clock: systemClock,
        userAgent: 'bravo',
      });
      opened.push(api);
      const cluster = { api, kinds: new KindIndex(api), kubeconfig };
      known.set(key, cluster);
      return cluster;
    },
    async stop() {
      for (const api of opened) await api.close();
      await own.stop();
    },
  };
}

interface OwnCluster {
  readonly api: ClosableApi;
  readonly kubeconfig: string;
  readonly pace: Pace;
  stop(): Promise<void>;
}

async function openOwn(suite: TestSuite, flags: ClusterFlags, scratch: string): Promise<OwnCluster> {
  if (flags.sandbox === true || suite.startControlPlane) return openSandbox(flags, scratch);
  if (suite.startKIND) return openKind(suite, scratch);
  const path = flags.kubeconfig ?? (process.env.KUBECONFIG || undefined);
  const cluster = loadCluster({ kubeconfigPath: path, context: flags.context });
  const api = createApi(cluster, { clock: systemClock, userAgent: 'bravo' });
  const kubeconfig = await kubeconfigOfCommands(path, flags.context, scratch);
  return { api, kubeconfig, pace: realPace, stop: () => api.close() };
}

async function openKind(suite: TestSuite, scratch: string): Promise<OwnCluster> {
  const { kubeconfig, stop } = await startKind(suite, scratch);
  const api = createApi(loadCluster({ kubeconfigPath: kubeconfig }), { clock: systemClock, userAgent: 'bravo' });
  return {
    ...{ api, kubeconfig, pace: realPace },
    async stop() {
      await api.close();
      await stop();
    },
  };
}

/** The same kubeconfig; with `--context` a copy in which that context is the current one. */
async function kubeconfigOfCommands(
  path: string | undefined,
  context: string | undefined,
  scratch: string,
): Promise<string> {
  const paths = path ?? join(homedir(), '.kube', 'config');
  if (context === undefined) return paths;
  const { config } = readKubeconfig(paths);
  const copy = join(scratch, 'kubeconfig');
  await writeFile(copy, writeYaml({ ...config, 'current-context': context }), { mode: 0o600 });
  return copy;
}

async function openSandbox(flags: ClusterFlags, scratch: string): Promise<OwnCluster> {
  // The other ways start much faster without the modules of the engine.
  const { startSandboxCluster } = await import('./sandbox-cluster');
  const kubeconfig = join(scratch, 'kubeconfig');
  const isBare = flags.sandbox !== true;
  const sandbox = await startSandboxCluster({
    mode: isBare ? 'no-controllers' : flags.pods === false ? 'no-pods' : 'full',
    podDelayMs: podDelaySeconds(flags.podDelay) * 1_000,
    hasController: !isBare,
    kubeconfigPath: kubeconfig,
    reportBug: (error) => console.error(error),
  });
  return { api: sandbox.api, kubeconfig, pace: sandbox.pace, stop: () => sandbox.stop() };
}

function podDelaySeconds(text: string | undefined): number {
  if (text === undefined) return DEFAULT_POD_DELAY_SECONDS;
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 3_600) return value;
  throw new TerminalError(`--pod-delay must be a number of seconds from 0 to 3600, not ${text}`, 'InvalidArguments');
}
