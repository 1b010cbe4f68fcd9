import { join } from 'node:path';
import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { Config } from '@/server/config/config';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { namespacedApi } from '@/server/kube/namespaced-api';
import { connectTransport, type Transport } from '@/server/kube/transport';
import type { ClusterPlace } from '@/server/webhook/address';
import { type Part, startPart } from '@/server/workers/part';
import type { ClusterSummary } from './runtime';

/** Where the console's cluster is: its own sandbox, or one that the settings name. */
export interface ClusterAccess {
  readonly summary: ClusterSummary;
  /** Where it is, for the webhook of a controller. */
  readonly place: ClusterPlace;
  readonly api: ClosableApi;
  /** Absent inside a pod, where the service account counts. */
  readonly kubeconfigPath: string | undefined;
  readonly context: string | undefined;
  /** The worker of the sandbox; absent for a cluster of one's own. */
  readonly sandbox: Part | undefined;
}

const REACH_WITHIN_MS = 8_000;

export interface StartClusterOptions {
  readonly config: Config;
  readonly inCluster: boolean;
  readonly podDelayMs: number;
  readonly clock: Clock;
  /** Measures the requests to the API server. */
  readonly measured: (transport: Transport) => Transport;
  readonly onDeath: (message: string) => void;
}

/**
 * Starts the sandbox, or connects to the cluster of the settings and sees that it answers.
 *
 * @throws TerminalError with one sentence: folder in use, port in use, file unreadable, cluster unreachable
 */
export async function startCluster(options: StartClusterOptions): Promise<ClusterAccess> {
  const { config, inCluster } = options;
  if (config.kubeconfigPath !== undefined || inCluster) return connectCluster(options);
  const kubeconfigPath = join(config.dataDir, 'kubeconfig');
  const sandbox = await startPart({
    entry: 'sandbox-worker',
    settings: { port: config.sandboxPort, dataDir: config.dataDir, kubeconfigPath, podDelayMs: options.podDelayMs },
    onDeath: options.onDeath,
  });
  const cluster = loadCluster({ kubeconfigPath });
  return {
    summary: { ...summaryOf(cluster), isSandbox: true },
    place: cluster,
    api: createApi(cluster, { clock: options.clock, transport: options.measured(connectTransport(cluster)) }),
    kubeconfigPath,
    context: undefined,
    sandbox,
  };
}

async function connectCluster({ config, clock, measured }: StartClusterOptions): Promise<ClusterAccess> {
  const { kubeconfigPath, context } = config;
  const cluster = loadCluster({ kubeconfigPath, context });
  const connected = createApi(cluster, { clock, transport: measured(connectTransport(cluster)) });
  const api = namespacedApi(connected, { namespaces: config.namespaces, clock });
  await reach(api, cluster, clock);
  const summary = { ...summaryOf(cluster), isSandbox: false };
  return { summary, place: cluster, api, kubeconfigPath, context, sandbox: undefined };
}

function summaryOf({
  name,
  context,
  server,
  user,
  ownNamespace,
}: Omit<ClusterSummary, 'isSandbox'>): Omit<ClusterSummary, 'isSandbox'> {
  return { name, context, server, user, ownNamespace };
}

async function reach(api: ClosableApi, cluster: { name: string; server: string }, clock: Clock): Promise<void> {
  const abort = new AbortController();
  const timeout = sleep(clock, REACH_WITHIN_MS, abort.signal).then(
    () => `no answer within ${REACH_WITHIN_MS / 1000} s`,
  );
  const failure = await Promise.race([ask(api, abort.signal), timeout]);
  abort.abort();
  if (failure === undefined) return;
  await api.close();
  throw new TerminalError(
    `The cluster ${cluster.name} at ${cluster.server} cannot be used: ${failure}. Check KUBECONFIG and BRAVO_CONTEXT.`,
    'ClusterUnreachable',
  );
}

async function ask(api: ClosableApi, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await api.raw({ method: 'GET', path: '/version', signal });
    for await (const _ of response.body) break;
    return response.status < 400 ? undefined : `it answers ${response.status}`;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}
