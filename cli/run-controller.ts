import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { readHealthPort } from '@/server/config/health';
import { checkKudoSettings } from '@/server/config/kudo-settings';
import { readLogLevel } from '@/server/config/log-level';
import { readMetricsSettings } from '@/server/config/metrics';
import { readNamespaces } from '@/server/config/namespaces';
import { type NoticeSettings, readNoticeSettings } from '@/server/config/notices';
import { type PipeSettings, readPipeSettings } from '@/server/config/pipes';
import { readProfileSettings } from '@/server/config/profiles';
import { readShards } from '@/server/config/shards';
import { readCountsUsage } from '@/server/config/usage';
import { readWebhookSettings, type WebhookSettings } from '@/server/config/webhook';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import { isProcessGone, processIdentity } from '@/server/controller/process-identity';
import { startHealthServer } from '@/server/health/health-server';
import { type Cluster, loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { namespacedApi } from '@/server/kube/namespaced-api';
import { connectTransport } from '@/server/kube/transport';
import { createLog, type Log } from '@/server/log/log';
import { type ControllerMeasures, measureController } from '@/server/metrics/measure-controller';
import { serveMetrics } from '@/server/metrics/serve-metrics';
import { profileOnSignal } from '@/server/profiles/on-signal';
import { Profiler } from '@/server/profiles/profiler';
import { letCompilerGiveWay } from '@/server/runtime/compiler-gives-way';
import { productVersion } from '@/server/runtime/root';
import { giveBackMemoryAfter } from '@/server/workers/give-back-memory';
import { runController } from '@/server/workers/run-controller';
import { keepAlive } from './support/keep-alive';

export interface ControllerFlags {
  kubeconfig?: string;
  context?: string;
  installCrds?: boolean;
  leaseNamespace?: string;
  leaseDuration?: number;
}

/** Runs the plans of a cluster until SIGINT or SIGTERM. */
export async function runControllerProcess(flags: ControllerFlags): Promise<void> {
  letCompilerGiveWay();
  checkKudoSettings(process.env);
  const webhook = readWebhookSettings(process.env);
  const pipePods = readPipeSettings(process.env);
  const notices = readNoticeSettings(process.env);
  const healthPort = readHealthPort(process.env);
  const metricsSettings = readMetricsSettings(process.env);
  const profiles = readProfileSettings(process.env, process.cwd());
  const shards = readShards(process.env);
  const countsUsage = readCountsUsage(process.env);
  const cluster = loadCluster({ kubeconfigPath: flags.kubeconfig ?? process.env.KUBECONFIG, context: flags.context });
  const measures = measureController({ version: productVersion, isProcess: true, clock: systemClock });
  const transport = measures.measured(connectTransport(cluster));
  const connected = createApi(cluster, { clock: systemClock, userAgent: 'bravo-controller', transport });
  const api = namespacedApi(connected, { namespaces: readNamespaces(process.env), clock: systemClock });
  const log = createLog('controller', readLogLevel(process.env.BRAVO_LOG, 'info'));
  const profiler = new Profiler({ folder: profiles.folder, part: 'controller', clock: systemClock, log });
  const endProfiles = profileOnSignal(profiles, log, () => void profiler.run());
  const alive = keepAlive();
  const metricsServer = await serveMetrics({
    settings: metricsSettings,
    collect: async () => [await measures.values()],
    log,
    warn: (words) => log.warn('metrics.not-served', { words }),
  });
  try {
    await prepare(api, flags, log);
    await serve(api, { cluster, webhook, pipePods, notices, healthPort, measures, shards, countsUsage }, flags, log);
  } finally {
    endProfiles();
    await metricsServer.stop();
    alive.stop();
    await api.close();
  }
}

/** One request checks that the cluster can be reached; an error ends the process with one sentence. */
async function prepare(api: ClosableApi, flags: ControllerFlags, log: Log): Promise<void> {
  const { resources } = await api.discover();
  if (flags.installCrds === true) {
    log.info('crds.installed', { names: await installCrds(api, systemClock) });
  } else if (!resources.some(({ group, resource }) => group === 'kudo.dev' && resource === 'instances')) {
    log.warn('crds.missing', {
      advice: "KUDO's CRDs are not installed. The controller waits for them; --install-crds installs them.",
    });
  }
}

interface ServeSettings {
  readonly cluster: Cluster;
  readonly webhook: WebhookSettings;
  readonly pipePods: PipeSettings;
  readonly notices: NoticeSettings;
  readonly healthPort: number | undefined;
  readonly measures: ControllerMeasures;
  readonly shards: number;
  readonly countsUsage: boolean;
}

async function serve(
  api: ClosableApi,
  { measures, ...settings }: ServeSettings,
  flags: ControllerFlags,
  log: Log,
): Promise<void> {
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
  const controller = await runController({
    ...settings,
    metrics: measures.metrics,
    webhookMetrics: measures.webhookMetrics,
    api,
    clock: systemClock,
    random: systemRandom,
    log,
    identity: processIdentity(),
    isGone: isProcessGone,
    onShardsDiffer: (problem) => log.warn('shards.differ', { problem: problem ?? 'no longer' }),
    leaseNamespace: flags.leaseNamespace ?? (await leaseNamespaceOf(api)),
    ...(flags.leaseDuration === undefined ? {} : { leaseDurationS: flags.leaseDuration }),
  });
  giveBackMemoryAfter(controller, systemClock);
  const { healthPort } = settings;
  const health = healthPort === undefined ? undefined : await startHealthServer(healthPort, () => controller.unready());
  const { name, context, server } = settings.cluster;
  log.info('controller.started', { version: productVersion, cluster: name, context, server });
  const signal = await stopped;
  log.info('controller.stopping', { signal });
  // Ctrl-C is of a person, SIGTERM of something that has started another one.
  await controller.stop(signal === 'SIGTERM');
  await health?.stop();
}
