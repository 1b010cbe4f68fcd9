import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { checkKudoSettings } from '@/server/config/kudo-settings';
import { readLogLevel } from '@/server/config/log-level';
import { type NoticeSettings, readNoticeSettings } from '@/server/config/notices';
import { type PipeSettings, readPipeSettings } from '@/server/config/pipes';
import { readShards } from '@/server/config/shards';
import { readWebhookSettings, type WebhookSettings } from '@/server/config/webhook';
import { isProcessGone, processIdentity } from '@/server/controller/process-identity';
import { type Cluster, loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { createLog, type Log } from '@/server/log/log';
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
  const shards = readShards(process.env);
  const cluster = loadCluster({ kubeconfigPath: flags.kubeconfig ?? process.env.KUBECONFIG, context: flags.context });
  const api = createApi(cluster, { clock: systemClock, userAgent: 'bravo-controller' });
  const log = createLog('controller', readLogLevel(process.env.BRAVO_LOG, 'info'));
  const alive = keepAlive();
  try {
    await prepare(api, flags, log);
    await serve(api, { cluster, webhook, pipePods, notices, shards }, flags, log);
  } finally {
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

async function serve(
  api: ClosableApi,
  settings: {
    cluster: Cluster;
    webhook: WebhookSettings;
    pipePods: PipeSettings;
    notices: NoticeSettings;
    shards: number;
  },
  flags: ControllerFlags,
  log: Log,
): Promise<void> {
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
  const controller = await runController({
    ...settings,
    api,
    clock: systemClock,
    random: systemRandom,
    log,
    identity: processIdentity(),
    isGone: isProcessGone,
    onShardsDiffer: (problem) => log.warn('shards.differ', { problem: problem ?? 'no longer' }),
    ...(flags.leaseNamespace === undefined ? {} : { leaseNamespace: flags.leaseNamespace }),
    ...(flags.leaseDuration === undefined ? {} : { leaseDurationS: flags.leaseDuration }),
  });
  giveBackMemoryAfter(controller, systemClock);
  const { name, context, server } = settings.cluster;
  log.info('controller.started', { version: productVersion, cluster: name, context, server });
  const signal = await stopped;
  log.info('controller.stopping', { signal });
  // Ctrl-C is of a person, SIGTERM of something that has started another one.
  await controller.stop(signal === 'SIGTERM');
}
