import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { systemRandom } from '@/lib/random/random';
import { AccessReviews } from '@/server/auth/access-reviews';
import { type Config, readConfig } from '@/server/config/config';
import { readLogLevel } from '@/server/config/log-level';
import { readNoticeSettings } from '@/server/config/notices';
import { withOptions } from '@/server/config/options';
import { readPipeSettings } from '@/server/config/pipes';
import { readWebhookSettings } from '@/server/config/webhook';
import { Refusal } from '@/server/http/problem';
import { createLog, type Log } from '@/server/log/log';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { letCompilerGiveWay } from '@/server/runtime/compiler-gives-way';
import { ControllerPart } from '@/server/runtime/controller-part';
import { controllerWrites } from '@/server/runtime/controller-writes';
import { listen } from '@/server/runtime/http-server';
import { openHub } from '@/server/runtime/open-hub';
import { servePages } from '@/server/runtime/pages';
import { prepareSampleUsers } from '@/server/runtime/prepare-sample-users';
import { prepareSandbox } from '@/server/runtime/prepare-sandbox';
import { productVersion, projectRoot } from '@/server/runtime/root';
import { setRuntime } from '@/server/runtime/runtime';
import { type ClusterAccess, startCluster } from '@/server/runtime/start-parts';
import { startSignIn } from '@/server/runtime/start-sign-in';
import { wantsController } from '@/server/runtime/wants-controller';

export interface MainOptions {
  /** Pages compiled on demand and reloaded by themselves. */
  readonly dev: boolean;
  /** Options of the command line: `--sign-in` is BRAVO_AUTH=token. */
  readonly argv?: readonly string[];
}

/** All parts together have this long to end. */
const STOP_WITHIN_MS = 9_000;
const PART_STOP_MS = 4_000;

/**
 * The console's process: HTTP server → sandbox or cluster → live hub → controller → pages, then the ready line. SIGINT and
 * SIGTERM end all of it in reverse. A failure at the start is one sentence and exit code 1.
 */
export async function main({ dev, argv = [] }: MainOptions): Promise<void> {
  letCompilerGiveWay();
  const stops: (() => Promise<void>)[] = [];
  const stop = stopOnce(stops);
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
  try {
    await start({ dev, environment: withOptions(process.env, argv) }, stops, (message) => {
      process.stderr.write(`${message}\n`);
      void stop(1);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof BravoError ? error.message : (error as Error).stack}\n`);
    await stop(1);
  }
}

interface StartOptions {
  readonly dev: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

async function start(
  { dev, environment }: StartOptions,
  stops: (() => Promise<void>)[],
  onDeath: (message: string) => void,
): Promise<void> {
  const config = readConfig(environment, process.cwd());
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
  const signInParts = await startSignIn({ config, access, inCluster: isInCluster(), clock, random: systemRandom, log });
  stops.push(async () => signInParts?.close());
  const hub = openHub({ api: access.api, clock, random: systemRandom, log });
  stops.push(async () => hub.close());
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
  });
  stops.push(() => controller.stop(PART_STOP_MS));
  setRuntime({
    config,
    version: productVersion,
    cluster: access.summary,
    api: access.api,
    hub,
    signIn: signInParts?.signIn,
    access: new AccessReviews(clock),
    catalogue,
    log,
    clock,
    random: systemRandom,
    controllerState: () => controller.state,
    webhookWords: () => controller.webhookWords,
    leaseProblem: () => controller.leaseProblem,
    controllerOffer: () => ({
      setting: signInParts === undefined ? config.controller : 'signed-in',
      state: controller.state,
      writes: controllerWrites(webhook, access.place),
    }),
    startController: () => startOnDemand(config, controller),
  });
  const stopPages = await servePages({ dev, server, config, gate: signInParts?.gate });
  stops.push(stopPages);
  if (access.summary.isSandbox) {
    await prepareSandbox({ api: access.api, clock, catalogue });
    if (config.sampleUsers) await prepareSampleUsers(access.api);
  }
  await startController(config, access, controller);
  ready(config, log, access.summary.isSandbox);
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
  // The paths, not the tokens: what a terminal shows is in its history, in recordings and in the logs of whoever starts the program.
  if (isSandbox && config.sampleUsers) say(`Users to try: ${join(config.dataDir, 'users')}/{admin,dev,viewer}.token`);
  say(`Bravo is ready: ${config.auth.publicUrl ?? `http://${host}:${config.port}`}`);
}

function sayCluster({ summary, kubeconfigPath }: ClusterAccess): void {
  if (summary.isSandbox)
    say(`Cluster: the embedded sandbox, ${summary.server} (kubectl --kubeconfig ${kubeconfigPath})`);
  else say(`Cluster: ${summary.name}, context ${summary.context}, ${summary.server}, as ${summary.user}`);
}

/** Ends everything that was started, last first. A second signal while it ends does nothing; the deadline ends it hard. */
function stopOnce(stops: (() => Promise<void>)[]): (exitCode: number) => Promise<void> {
  let stopping: Promise<void> | undefined;
  return (exitCode) => {
    stopping ??= (async () => {
      systemClock.after(STOP_WITHIN_MS, () => process.exit(1));
      for (const stop of [...stops].reverse()) {
        await stop().catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
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
