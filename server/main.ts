import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { systemRandom } from '@/lib/random/random';
import { AccessReviews } from '@/server/auth/access-reviews';
import { type Config, readConfig } from '@/server/config/config';
import { readDrainMs } from '@/server/config/drain';
import { readLogLevel } from '@/server/config/log-level';
import { readNoticeSettings } from '@/server/config/notices';
import { readPipeSettings } from '@/server/config/pipes';
import { readShards } from '@/server/config/shards';
import { readWebhookSettings } from '@/server/config/webhook';
import { Refusal } from '@/server/http/problem';
import { createLog, type Log } from '@/server/log/log';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { letCompilerGiveWay } from '@/server/runtime/compiler-gives-way';
import { ConsoleEnd } from '@/server/runtime/console-end';
import { ControllerPart } from '@/server/runtime/controller-part';
import { controllerWrites } from '@/server/runtime/controller-writes';
import { listen } from '@/server/runtime/http-server';
import { openHub } from '@/server/runtime/open-hub';
import { servePages } from '@/server/runtime/pages';
import { prepareSandbox } from '@/server/runtime/prepare-sandbox';
import { productVersion, projectRoot } from '@/server/runtime/root';
import { setRuntime } from '@/server/runtime/runtime';
import { type ClusterAccess, startCluster } from '@/server/runtime/start-parts';
import { wantsController } from '@/server/runtime/wants-controller';

export interface MainOptions {
  /** Pages compiled on demand and reloaded by themselves. */
  readonly dev: boolean;
}

/** All parts together have this long to end, besides the time in which a console that is being stopped still answers. */
const STOP_WITHIN_MS = 9_000;
const PART_STOP_MS = 4_000;
/** After SIGTERM: a controller ends its running tasks, and waits for the next one. */
const CONTROLLER_HANDOVER_MS = 18_000;

/** Ends a part. `isHandover`: other replicas take over. */
type Stop = (isHandover: boolean) => Promise<void>;

/**
 * The console's process: HTTP server → sandbox or cluster → live hub → controller → pages, then the ready line. SIGINT and
 * SIGTERM end all of it in reverse. A failure at the start is one sentence and exit code 1.
 */
export async function main({ dev }: MainOptions): Promise<void> {
  letCompilerGiveWay();
  const stops: Stop[] = [];
  const stop = stopOnce(stops);
  process.on('SIGINT', () => void stop(0, false));
  // Ctrl-C is of a person, SIGTERM of something that may have started another one.
  process.on('SIGTERM', () => void stop(0, true));
  try {
    await start(dev, stops, (message) => {
      process.stderr.write(`${message}\n`);
      void stop(1, false);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof BravoError ? error.message : (error as Error).stack}\n`);
    await stop(1, false);
  }
}

async function start(dev: boolean, stops: Stop[], onDeath: (message: string) => void): Promise<void> {
  const config = readConfig(process.env, process.cwd());
  const logLevel = readLogLevel(process.env.BRAVO_LOG, 'warn');
  const log = createLog('console', logLevel);
  const clock = systemClock;
  say(`Bravo ${productVersion}`);
  const server = await listen(config);
  stops.push(() => server.close());
  const access = await startCluster({ config, inCluster: isInCluster(), podDelayMs: podDelayMs(), clock, onDeath });
  stops.push(async () => {
    await access.api.close();
    await access.sandbox?.stop(PART_STOP_MS);
  });
  sayCluster(access);
  const hub = openHub({ api: access.api, clock, random: systemRandom, log });
  stops.push(async () => hub.close());
  const consoleEnd = new ConsoleEnd({ server, hub, clock, noticeMs: readDrainMs(process.env) });
  const catalogue = new PackageCatalogue({
    bundledDir: join(projectRoot, 'operators'),
    uploadDir: join(config.dataDir, 'packages'),
  });
  const webhook = readWebhookSettings(process.env);
  const controller = new ControllerPart({
    access,
    clock,
    log,
    logLevel,
    webhook,
    pipePods: readPipeSettings(process.env),
    notices: readNoticeSettings(process.env),
    shards: readShards(process.env),
  });
  const stopController = (isHandover: boolean) =>
    isHandover && !access.summary.isSandbox
      ? controller.stop(CONTROLLER_HANDOVER_MS, true)
      : controller.stop(PART_STOP_MS);
  setRuntime({
    config,
    version: productVersion,
    cluster: access.summary,
    api: access.api,
    hub,
    access: new AccessReviews(clock),
    catalogue,
    log,
    clock,
    random: systemRandom,
    controllerState: () => controller.state,
    webhookWords: () => controller.webhookWords,
    leaseProblem: () => controller.leaseProblem,
    shardsProblem: () => controller.shardsProblem,
    isStopping: () => consoleEnd.isStopping,
    controllerOffer: () => ({
      setting: config.controller,
      state: controller.state,
      writes: controllerWrites(webhook, access.place),
    }),
    startController: () => startOnDemand(config, controller),
  });
  const stopPages = await servePages({ dev, server, config });
  stops.push(stopPages);
  stops.push(async (isHandover) => {
    await Promise.all([consoleEnd.run(isHandover), stopController(isHandover)]);
  });
  if (access.summary.isSandbox) await prepareSandbox({ api: access.api, clock, catalogue });
  await startController(config, access, controller);
  ready(config, log);
}

async function startController(config: Config, access: ClusterAccess, controller: ControllerPart): Promise<void> {
  const wanted = wantsController(config.controller, access.summary);
  if (wanted.run) await controller.start();
  say(`Controller: ${wanted.words}`);
}

async function startOnDemand(config: Config, controller: ControllerPart): Promise<void> {
  if (config.controller === 'off') {
    const message = 'This console was started with BRAVO_CONTROLLER=off. Start it without that setting.';
    throw new Refusal(409, 'ControllerOff', message);
  }
  await controller.start();
}

function ready(config: Config, log: Log): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  log.info('console.ready', { host, port: config.port });
  say(`Bravo is ready: http://${host}:${config.port}`);
}

function sayCluster({ summary, kubeconfigPath }: ClusterAccess): void {
  if (summary.isSandbox)
    say(`Cluster: the embedded sandbox, ${summary.server} (kubectl --kubeconfig ${kubeconfigPath})`);
  else say(`Cluster: ${summary.name}, context ${summary.context}, ${summary.server}, as ${summary.user}`);
}

/** Ends everything that was started, last first. A second signal while it ends does nothing; the deadline ends it hard. */
function stopOnce(stops: readonly Stop[]): (exitCode: number, isHandover: boolean) => Promise<void> {
  let stopping: Promise<void> | undefined;
  return (exitCode, isHandover) => {
    stopping ??= (async () => {
      const handoverMs = isHandover ? CONTROLLER_HANDOVER_MS + readDrainMs(process.env) : 0;
      systemClock.after(STOP_WITHIN_MS + handoverMs, () => process.exit(1));
      for (const stop of [...stops].reverse()) {
        await stop(isHandover).catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
      }
      process.exit(exitCode);
    })();
    return stopping;
  };
}

function isInCluster(): boolean {
  return process.env.KUBERNETES_SERVICE_HOST !== undefined;
}

/** How long a simulated pod takes to become ready, in seconds; the tests set 0. */
function podDelayMs(): number {
  const seconds = Number(process.env.BRAVO_POD_DELAY ?? '3');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : 3_000;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
