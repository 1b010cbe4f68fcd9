import { join } from 'node:path';
import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { Config } from '@/server/config/config';
import type { PipeSettings } from '@/server/config/pipes';
import type { WebhookSettings } from '@/server/config/webhook';
import { processIdentity } from '@/server/controller/process-identity';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import type { Log, LogLevel } from '@/server/log/log';
import { type Part, startPart } from '@/server/workers/part';
import type { ClusterSummary, ControllerState } from './runtime';

/** Where the console's cluster is: its own sandbox, or one that the settings name. */
export interface ClusterAccess {
  readonly summary: ClusterSummary;
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
    api: createApi(cluster, { clock: options.clock }),
    kubeconfigPath,
    context: undefined,
    sandbox,
  };
}

async function connectCluster({ config, clock }: StartClusterOptions): Promise<ClusterAccess> {
  const { kubeconfigPath, context } = config;
  const cluster = loadCluster({ kubeconfigPath, context });
  const api = createApi(cluster, { clock });
  await reach(api, cluster, clock);
  return { summary: { ...summaryOf(cluster), isSandbox: false }, api, kubeconfigPath, context, sandbox: undefined };
}

function summaryOf({
  name,
  context,
  server,
  user,
}: Omit<ClusterSummary, 'isSandbox'>): Omit<ClusterSummary, 'isSandbox'> {
  return { name, context, server, user };
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

const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 60_000;

export interface ControllerOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly log: Log;
  readonly logLevel: LogLevel;
  readonly webhook: WebhookSettings;
  readonly pipePods: PipeSettings;
}

/** The controller's worker, started anew when it dies. */
export class ControllerPart {
  private part: Part | undefined;
  private current: ControllerState = 'off';
  private restartMs = FIRST_RESTART_MS;
  private readonly notes = new Map<string, string>();
  private readonly stopping = new AbortController();
  private readonly options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.options = options;
  }

  get state(): ControllerState {
    return this.current;
  }

  /** What its webhook says of itself, in one sentence; undefined while no controller runs here. */
  get webhookWords(): string | undefined {
    return this.current === 'off' || this.current === 'failed' ? undefined : this.notes.get('webhook');
  }

  /** Resolves when the worker runs; a second call does nothing. */
  async start(): Promise<void> {
    if (this.current !== 'off' && this.current !== 'failed') return;
    this.current = 'standby';
    const { access, logLevel, webhook, pipePods } = this.options;
    this.part = await startPart({
      entry: 'controller-worker',
      settings: {
        kubeconfigPath: access.kubeconfigPath,
        context: access.context,
        identity: processIdentity(),
        logLevel,
        webhook,
        pipePods,
      },
      onState: (state) => {
        this.current = state === 'running' ? 'running' : 'standby';
        this.restartMs = FIRST_RESTART_MS;
      },
      onNote: (about, words) => this.notes.set(about, words),
      onDeath: (message) => this.restart(message),
    });
  }

  async stop(patienceMs: number): Promise<void> {
    this.stopping.abort();
    await this.part?.stop(patienceMs);
  }

  private restart(message: string): void {
    this.current = 'failed';
    this.options.log.error('controller.died', { message, restartInMs: this.restartMs });
    const delayMs = this.restartMs;
    this.restartMs = Math.min(this.restartMs * 2, LAST_RESTART_MS);
    sleep(this.options.clock, delayMs, this.stopping.signal)
      .then(() => this.start())
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.restart(messageOf(error));
      });
  }
}
