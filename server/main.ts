import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { systemRandom } from '@/lib/random/random';
import { EntryRights } from '@/server/audit/entry-rights';
import type { Clusters } from '@/server/clusters/clusters';
import { type OpenClustersOptions, openClusters } from '@/server/clusters/open-clusters';
import { readAuditSettings } from '@/server/config/audit';
import { type Config, readConfig } from '@/server/config/config';
import { readDrainMs } from '@/server/config/drain';
import { readLogLevel } from '@/server/config/log-level';
import { type MetricsSettings, readMetricsSettings } from '@/server/config/metrics';
import { readNoticeSettings } from '@/server/config/notices';
import { withOptions } from '@/server/config/options';
import { readPipeSettings } from '@/server/config/pipes';
import { type ProfileSettings, readProfileSettings } from '@/server/config/profiles';
import { readShards } from '@/server/config/shards';
import { readTerminalSettings } from '@/server/config/terminals';
import { readCountsUsage } from '@/server/config/usage';
import { readWebhookSettings } from '@/server/config/webhook';
import { Refusal } from '@/server/http/problem';
import type { LiveHub } from '@/server/live/hub';
import { createLog, type Log, type LogLevel } from '@/server/log/log';
import { type ConsoleMeasures, measureConsole } from '@/server/metrics/measure-console';
import { serveMetrics } from '@/server/metrics/serve-metrics';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { profileOnSignal } from '@/server/profiles/on-signal';
import { Profiler } from '@/server/profiles/profiler';
import { letCompilerGiveWay } from '@/server/runtime/compiler-gives-way';
import { ConsoleEnd } from '@/server/runtime/console-end';
import { ControllerPart } from '@/server/runtime/controller-part';
import { readControllerWrites } from '@/server/runtime/controller-writes';
import { listen } from '@/server/runtime/http-server';
import { openAudit } from '@/server/runtime/open-audit';
import { openHub } from '@/server/runtime/open-hub';
import { openRights } from '@/server/runtime/open-rights';
import { servePages } from '@/server/runtime/pages';
import { prepareSampleUsers } from '@/server/runtime/prepare-sample-users';
import { prepareSandbox } from '@/server/runtime/prepare-sandbox';
import { processStatus } from '@/server/runtime/process-status';
import { productVersion, projectRoot } from '@/server/runtime/root';
import { setRuntime } from '@/server/runtime/runtime';
import { type ClusterAccess, startCluster } from '@/server/runtime/start-parts';
import { startSignIn } from '@/server/runtime/start-sign-in';
import { startViewAs } from '@/server/runtime/start-view-as';
import { TlsPair } from '@/server/runtime/tls-pair';
import { wantsController } from '@/server/runtime/wants-controller';
import { TerminalServer, type TerminalServerOptions } from '@/server/terminal/terminal-server';

export interface MainOptions {
  /** Pages compiled on demand and reloaded by themselves. */
  readonly dev: boolean;
  /** Options of the command line: `--sign-in` is BRAVO_AUTH=token. */
  readonly argv?: readonly string[];
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
export async function main({ dev, argv = [] }: MainOptions): Promise<void> {
  letCompilerGiveWay();
  const stops: Stop[] = [];
  const stop = stopOnce(stops);
  process.on('SIGINT', () => void stop(0, false));
  // Ctrl-C is of a person, SIGTERM of something that may have started another one.
  process.on('SIGTERM', () => void stop(0, true));
  try {
    await start({ dev, environment: withOptions(process.env, argv) }, stops, (message) => {
      process.stderr.write(`${message}\n`);
      void stop(1, false);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof BravoError ? error.message : (error as Error).stack}\n`);
    await stop(1, false);
  }
}

interface StartOptions {
  readonly dev: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

async function start(
  { dev, environment }: StartOptions,
  stops: Stop[],
  onDeath: (message: string) => void,
): Promise<void> {
  const config = readConfig(environment, process.cwd());
  const logLevel = readLogLevel(process.env.BRAVO_LOG, 'warn');
  const log = createLog('console', logLevel);
  const clock = systemClock;
  say(`Bravo ${productVersion}`);
  const metricsSettings = readMetricsSettings(process.env);
  const profiles = readProfileSettings(process.env, process.cwd());
  const audit = await openAudit(readAuditSettings(process.env, process.cwd()), log);
  stops.push(() => audit.flush());
  const tls = config.tls && new TlsPair({ settings: config.tls, clock, log });
  const measures = measureConsole({ version: productVersion, clock, certificate: () => tls?.status });
  const server = await listen(config, tls);
  stops.push(() => server.close().finally(() => tls?.stop()));
  const inCluster = isInCluster();
  const options = { config, inCluster, podDelayMs: podDelayMs(), clock, measured: measures.measured, onDeath };
  const access = await startCluster(options);
  stops.push(() => access.api.close().then(() => access.sandbox?.stop(PART_STOP_MS)));
  sayCluster(access);
  const signInParts = await startSignIn({ config, access, inCluster, tls, clock, random: systemRandom, log });
  stops.push(async () => signInParts?.close());
  const { hub, clusters } = await startClusters({ access, persons: signInParts?.signIn.persons, log }, stops);
  measures.streams.watch(() => hub.topics());
  const consoleEnd = new ConsoleEnd({ server, hub, clock, noticeMs: readDrainMs(process.env) });
  const viewAs = startViewAs(signInParts, clock, systemRandom);
  const catalogue = openCatalogue(config);
  const { controller, webhook, stopController } = controllerBeside(config, access, log, logLevel);
  stops.push(await startMetrics(metricsSettings, log, measures, controller), startProfiles(profiles, log, controller));
  setRuntime({
    config,
    version: productVersion,
    clusters,
    signIn: signInParts?.signIn,
    viewAs,
    catalogue,
    notices: readNoticeSettings(process.env),
    log,
    ...{ audit, entryRights: new EntryRights(clock) },
    clock,
    random: systemRandom,
    streamMetrics: measures.streams,
    processStatus: () => processStatus({ version: productVersion, access, hub, audit, controller, tls }),
    controllerState: () => controller.state,
    webhookWords: () => controller.webhookWords,
    leaseProblem: () => controller.leaseProblem,
    shardsProblem: () => controller.shardsProblem,
    isStopping: () => consoleEnd.isStopping,
    controllerOffer: async () => ({
      setting: signInParts === undefined ? config.controller : 'signed-in',
      state: controller.state,
      writes: await readControllerWrites(webhook, access),
    }),
    startController: () => startOnDemand(config, controller),
  });
  const pages = { config, gate: signInParts?.gate, viewAs };
  const terminals = openTerminals(pages);
  stops.push(await servePages({ ...pages, dev, server, terminals }));
  if (access.summary.isSandbox) await fillSandbox(config, access, catalogue);
  stops.push(async (isHandover) => {
    terminals.close();
    await Promise.all([consoleEnd.run(isHandover), stopController(isHandover)]);
  });
  await startController(config, access, controller);
  ready(config, log, access.summary.isSandbox);
}

/** The home cluster, with what is watched in it, and the others. */
async function startClusters(
  options: Pick<OpenClustersOptions, 'access' | 'persons' | 'log'>,
  stops: Stop[],
): Promise<{ readonly hub: LiveHub; readonly clusters: Clusters }> {
  const parts = { ...options, api: options.access.api, clock: systemClock, random: systemRandom };
  const hub = openHub(parts);
  stops.push(async () => hub.close());
  const rights = openRights({ ...parts, hub });
  stops.push(async () => rights.close());
  const clusters = openClusters({ ...parts, hub, rights });
  stops.push(() => clusters.close());
  // An address of a cluster that a Secret holds leads there from the first request on.
  await clusters.readAgain();
  return { hub, clusters };
}

function openTerminals(parts: Omit<TerminalServerOptions, 'settings'>): TerminalServer {
  return new TerminalServer({ ...parts, settings: readTerminalSettings(process.env, process.cwd()) });
}

/** What a new sandbox begins with. */
async function fillSandbox(config: Config, { api }: ClusterAccess, catalogue: PackageCatalogue): Promise<void> {
  await prepareSandbox({ api, clock: systemClock, catalogue });
  if (config.sampleUsers) await prepareSampleUsers(api);
}

function openCatalogue({ dataDir }: Config): PackageCatalogue {
  return new PackageCatalogue({ bundledDir: join(projectRoot, 'operators'), uploadDir: join(dataDir, 'packages') });
}

/** The controller of this process, which nothing has started yet. */
function controllerBeside(config: Config, access: ClusterAccess, log: Log, logLevel: LogLevel) {
  const webhook = readWebhookSettings(process.env);
  const controller = new ControllerPart({
    access,
    clock: systemClock,
    ...{ log, logLevel, webhook, pipePods: readPipeSettings(process.env) },
    notices: readNoticeSettings(process.env),
    profileFolder: readProfileSettings(process.env, process.cwd()).folder,
    namespaces: config.namespaces,
    shards: readShards(process.env),
    countsUsage: readCountsUsage(process.env),
  });
  const stopController = (isHandover: boolean) =>
    isHandover && !access.summary.isSandbox
      ? controller.stop(CONTROLLER_HANDOVER_MS, true)
      : controller.stop(PART_STOP_MS);
  return { controller, webhook, stopController };
}

/** Serves what console and controller of this process measure. The result ends that. */
async function startMetrics(
  settings: MetricsSettings,
  log: Log,
  console: ConsoleMeasures,
  controller: ControllerPart,
): Promise<() => Promise<void>> {
  const collect = async () => Promise.all([console.values(), controller.figures().then((figures) => figures?.values)]);
  const server = await serveMetrics({ settings, collect, log, warn: say });
  return () => server.stop();
}

/** Records console and controller of this process on SIGUSR2. */
function startProfiles(settings: ProfileSettings, log: Log, controller: ControllerPart): () => Promise<void> {
  const profiler = new Profiler({ folder: settings.folder, part: 'console', clock: systemClock, log });
  const end = profileOnSignal(settings, log, () => {
    void profiler.run();
    controller.profile();
  });
  return async () => end();
}

async function startController(config: Config, access: ClusterAccess, controller: ControllerPart): Promise<void> {
  const wanted = wantsController(config.controller, access.summary);
  if (wanted.run) await controller.start();
  say(`Controller: ${wanted.words}`);
}

async function startOnDemand(config: Config, controller: ControllerPart): Promise<void> {
  if (config.auth.mode !== 'kubeconfig') {
    const message =
      'A controller has the permissions of the console, not yours. Start the console with BRAVO_CONTROLLER=on.';
    throw new Refusal(403, 'ControllerNotYours', message);
  }
  if (config.controller === 'off') {
    const message = 'This console was started with BRAVO_CONTROLLER=off. Start it without that setting.';
    throw new Refusal(409, 'ControllerOff', message);
  }
  await controller.start();
}

function ready(config: Config, log: Log, isSandbox: boolean): void {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  log.info('console.ready', { host, port: config.port });
  if (config.auth.mode !== 'kubeconfig') say(`Sign-in: ${config.auth.mode}`);
  // The paths, not the tokens: what a terminal shows is in its history, in recordings and in the logs of the program that starts this one.
  if (isSandbox && config.sampleUsers) say(`Users to try: ${join(config.dataDir, 'users')}/{admin,dev,viewer}.token`);
  say(
    `Bravo is ready: ${config.auth.publicUrl ?? `${config.tls ? 'https' : 'http'}://${host}:${config.port}${config.basePath}`}`,
  );
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
