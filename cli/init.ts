import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import {
  type InstallationStep,
  installationSteps,
  SERVICE_ACCOUNT,
  SYSTEM_NAMESPACE,
} from '@/lib/kudo/installation/manifests';
import { productVersion } from '@/server/runtime/root';
import { waitForController } from './init/controller-lease';
import { installBravo } from './init/install-bravo';
import { verifyInstallation } from './init/verify-installation';
import { homeFolder, repositoriesFile } from './support/home';
import { pathExists } from './support/operator-folder';
import { formatMany, formatTable, readFormat } from './support/output';
import { DEFAULT_LIST, writeRepositories } from './support/repositories';
import { type ClusterSession, printLine, withSession } from './support/session';

/** Flags of `init`, as commander reads them. They are KUDO's. */
export interface InitFlags {
  readonly clientOnly?: boolean;
  readonly kudoImage?: string;
  readonly kudoImagePullPolicy: string;
  readonly version?: string;
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly upgrade?: boolean;
  readonly verify?: boolean;
  readonly crdOnly?: boolean;
  readonly wait?: boolean;
  readonly waitTimeout?: string;
  readonly serviceAccount: string;
  readonly namespace?: string;
  readonly home?: string;
}

/**
 * `bravo init`: writes the client's list of repositories and installs CRDs, namespace, service account and controller. Unlike
 * `kubectl kudo init` it may be repeated: it updates what is installed.
 */
export function initCommand(): Command {
  return new Command('init')
    .description(
      'Prepare a cluster and this client: CRDs, namespace, account, controller, and the list of repositories',
    )
    .argument('[arguments...]')
    .option('-c, --client-only', 'write only the list of repositories')
    .option('-i, --kudo-image <image>', 'image of the controller, whose command is bravo controller')
    .option('--kudo-image-pull-policy <policy>', 'Always, IfNotPresent or Never', 'Always')
    .option('--version <tag>', 'tag of the image bravo-controller')
    .option('-o, --output <format>', 'print the manifests: yaml or json')
    .option('--dry-run', 'change nothing')
    .option('--upgrade', "replace the installed controller, also KUDO's")
    .option('--verify', 'only verify the installation')
    .option('--crd-only', 'install only the CRDs')
    .option('-w, --wait', 'wait until a controller runs')
    .option('--wait-timeout <seconds>', 'how long to wait (default 300)')
    .option('--service-account <name>', 'existing service account of the controller', SERVICE_ACCOUNT)
    .option('--unsafe-self-signed-webhook-ca', 'accepted; the controller always makes its own certificate')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<InitFlags>();
      check(words, flags);
      await init(self, flags);
    });
}

async function init(command: Command, flags: InitFlags): Promise<void> {
  const format = readFormat(flags.output);
  // A file that exists is kept, also if it cannot be parsed: somebody wrote it.
  if (flags.dryRun !== true && !(await pathExists(repositoriesFile(homeFolder(flags))))) {
    await writeRepositories(flags, DEFAULT_LIST);
  }
  if (format === undefined) printLine(`$KUDO_HOME has been configured at ${homeFolder(flags)}`);
  if (flags.clientOnly === true) return;
  const namespace = flags.namespace || SYSTEM_NAMESPACE;
  const { kudoImagePullPolicy: imagePullPolicy, serviceAccount } = flags;
  const steps = installationSteps({ namespace, image: imageOf(flags), imagePullPolicy, serviceAccount }).slice(
    0,
    flags.crdOnly === true ? 1 : undefined,
  );
  if (format !== undefined && flags.verify !== true) {
    printLine(
      formatMany(
        steps.flatMap(({ objects }) => objects),
        format,
      ),
    );
  }
  if (flags.dryRun === true) return;
  await withSession(command, (session) => initCluster(session, steps, flags), 'rethrow');
}

async function initCluster(
  session: ClusterSession,
  steps: readonly InstallationStep[],
  flags: InitFlags,
): Promise<void> {
  const namespace = flags.namespace || SYSTEM_NAMESPACE;
  const target = { namespace, serviceAccount: flags.serviceAccount, hasImage: hasImage(flags) };
  if (flags.verify === true) {
    await verify(session, { ...target, crdOnly: flags.crdOnly === true });
    return;
  }
  const printStep = readFormat(flags.output) === undefined ? printLine : () => undefined;
  await installBravo(session, steps, { ...target, upgrade: flags.upgrade === true, printLine: printStep });
  if (flags.wait !== true) return;
  printStep('⌛Waiting for KUDO controller to be ready in your cluster...');
  await waitForController(session, namespace, waitTimeoutMs(flags));
  printStep('✅ KUDO is ready!');
}

/** KUDO's tables of warnings and errors; KUDO printed nothing about the parts that are installed. */
async function verify(session: ClusterSession, target: Parameters<typeof verifyInstallation>[1]): Promise<void> {
  const { installed, warnings, errors } = await verifyInstallation(session, target);
  for (const sentence of installed) printLine(`✅ ${sentence}`);
  for (const [title, sentences] of [
    ['Warnings', warnings],
    ['Errors', errors],
  ] as const) {
    if (sentences.length > 0) printLine(formatTable([[title], ...sentences.map((sentence) => [sentence])]));
  }
  if (errors.length > 0) throw new TerminalError('KUDO installation is not valid', 'InstallationInvalid');
}

/** The image that the flags name, else a local one. No image is published. */
function imageOf({ kudoImage, version }: InitFlags): string {
  return kudoImage || `bravo-controller:v${(version || productVersion).replace(/^v/, '')}`;
}

function hasImage({ kudoImage, version }: InitFlags): boolean {
  return (kudoImage ?? '') !== '' || (version ?? '') !== '';
}

function waitTimeoutMs({ waitTimeout = '300' }: InitFlags): number {
  const seconds = Number(waitTimeout);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw refused(`--wait-timeout must be a number of seconds, not "${waitTimeout}"`);
}

/** Refuses combinations of flags, in KUDO's order and words. */
function check(words: readonly string[], flags: InitFlags): void {
  const { clientOnly, crdOnly, wait, upgrade, verify, dryRun } = flags;
  const image = (flags.kudoImage ?? '') !== '';
  const version = (flags.version ?? '') !== '';
  if (words.length > 0) throw refused('this command does not accept arguments');
  if (image && version) throw refused("specify either 'kudo-image' or 'version', not both");
  if (clientOnly && (image || version || (flags.output ?? '') !== '' || crdOnly || wait)) {
    throw refused('you cannot use image, version, output, crd-only and wait flags with client-only option');
  }
  if (crdOnly && wait) throw refused('wait is not allowed with crd-only');
  if (flags.waitTimeout !== undefined && !wait) {
    throw refused("wait-timeout is only useful when using the flag '--wait'");
  }
  if (upgrade && verify) throw refused("'--upgrade' and '--verify' can not be used at the same time");
  if (verify && dryRun) throw refused("'--dry-run' and '--verify' can not be used at the same time");
  if (crdOnly && upgrade) {
    throw refused("'--upgrade' and '--crd-only' can not be used at the same time: you can not upgrade *only* crds");
  }
  const policy = flags.kudoImagePullPolicy;
  if (!['Always', 'IfNotPresent', 'Never'].includes(policy)) {
    throw refused(`unknown image pull policy ${policy}, must be one of 'Always', 'IfNotPresent' or 'Never'`);
  }
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
