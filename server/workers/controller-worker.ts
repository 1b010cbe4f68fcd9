import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import type { NoticeSettings } from '@/server/config/notices';
import type { PipeSettings } from '@/server/config/pipes';
import type { WebhookSettings } from '@/server/config/webhook';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import { loadCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { namespacedApi } from '@/server/kube/namespaced-api';
import { connectTransport } from '@/server/kube/transport';
import { createLog, type LogLevel } from '@/server/log/log';
import { measureController } from '@/server/metrics/measure-controller';
import { Profiler } from '@/server/profiles/profiler';
import { productVersion } from '@/server/runtime/root';
import { giveBackMemoryAfter } from './give-back-memory';
import { runController } from './run-controller';
import { servePart } from './serve-part';

/** The settings of the controller beside the console. */
export interface ControllerSettings {
  readonly kubeconfigPath: string | undefined;
  readonly context: string | undefined;
  /** Who holds the lease: names this process. */
  readonly identity: string;
  readonly logLevel: LogLevel;
  readonly webhook: WebhookSettings;
  readonly pipePods: PipeSettings;
  readonly notices: NoticeSettings;
  /** Where profiles are written. */
  readonly profileFolder: string;
  /** The only namespaces that it watches; empty for all. */
  readonly namespaces: readonly string[];
  readonly shards: number;
  readonly countsUsage: boolean;
}

await servePart<ControllerSettings>(async (settings, tell, note) => {
  const cluster = loadCluster(settings);
  const log = createLog('controller', settings.logLevel);
  const profiler = new Profiler({ folder: settings.profileFolder, part: 'controller', clock: systemClock, log });
  const { values, measured, ...metrics } = measureController({
    version: productVersion,
    isProcess: false,
    clock: systemClock,
  });
  const connected = createApi(cluster, { clock: systemClock, transport: measured(connectTransport(cluster)) });
  const api = namespacedApi(connected, { namespaces: settings.namespaces, clock: systemClock });
  const held = new Set<number>();
  const controller = await runController({
    cluster,
    webhook: settings.webhook,
    pipePods: settings.pipePods,
    notices: settings.notices,
    api,
    leaseNamespace: await leaseNamespaceOf(api),
    ...metrics,
    clock: systemClock,
    random: systemRandom,
    log,
    identity: settings.identity,
    shards: settings.shards,
    countsUsage: settings.countsUsage,
    onLeadership: (leads, shard) => {
      if (leads) held.add(shard);
      else held.delete(shard);
      tell(held.size > 0 ? 'running' : 'standby');
    },
    onShardsDiffer: (problem) => note('shards', problem ?? ''),
    onLeaseRefused: (problem) => {
      note('lease', problem ?? '');
      if (problem !== undefined) tell('forbidden');
      else tell(held.size > 0 ? 'running' : 'standby');
    },
    onYield: (yields) => tell(yields ? 'yields' : 'standby'),
    onWebhook: (words) => note('webhook', words),
  });
  giveBackMemoryAfter(controller, systemClock);
  return {
    facts: {},
    metrics: values,
    profile: () => profiler.run(),
    stop: (isHandover) => controller.stop(isHandover),
  };
});
