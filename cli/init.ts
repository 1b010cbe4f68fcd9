import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { type InstallationStep, installationSteps } from '@/lib/kudo/installation/manifests';
import { SERVICE_ACCOUNT } from '@/lib/kudo/installation/names';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import { waitForController } from './init/controller-lease';
import { checkFlags, hasImage, type InitFlags, installationOptions, waitTimeoutMs } from './init/init-flags';
import { installBravo } from './init/install-bravo';
import { removeBravo } from './init/remove-bravo';
import { verifyInstallation } from './init/verify-installation';
import { homeFolder, repositoriesFile } from './support/home';
import { pathExists } from './support/operator-folder';
import { formatMany, formatTable, readFormat } from './support/output';
import { printLine } from './support/print-line';
import { DEFAULT_LIST, writeRepositories } from './support/repositories';
import { type ClusterSession, repeated, withSession } from './support/session';

/**
 * `bravo init`: writes the client's list of repositories and installs CRDs, namespace, accounts with their roles, controller and, with
 * `--console`, console; or verifies or removes them. Unlike `kubectl kudo init` it may be repeated: it updates what is installed.
 */
export function initCommand(): Command {
  return withBravoFlags(withKudoFlags(new Command('init'))).action(
    async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<InitFlags>();
      checkFlags(words, flags);
      await init(self, flags);
    },
  );
}

function withKudoFlags(command: Command): Command {
  return command
    .description(
      'Prepare a cluster and this client: CRDs, namespace, accounts, controller, console, and the list of repositories',
    )
    .argument('[arguments...]')
    .option('-c, --client-only', 'write only the list of repositories')
    .option('-i, --kudo-image <image>', 'image of Bravo, with the command bravo')
    .option('--kudo-image-pull-policy <policy>', 'Always, IfNotPresent or Never', 'Always')
    .option('--version <tag>', 'tag of the image bravo')
    .option('-o, --output <format>', 'print the manifests: yaml or json')
    .option('--dry-run', 'change nothing')
    .option('--upgrade', "replace the installed controller, also KUDO's")
    .option('--verify', 'only verify the installation')
    .option('--crd-only', 'install only the CRDs')
    .option('-w, --wait', 'wait until a controller runs')
    .option('--wait-timeout <seconds>', 'how long to wait (default 300)')
    .option('--service-account <name>', 'existing service account of the controller', SERVICE_ACCOUNT)
    .option('--unsafe-self-signed-webhook-ca', 'accepted; the controller always makes its own certificate');
}

function withBravoFlags(command: Command): Command {
  return command
    .option('--console', 'install the console too')
    .option('--console-sign-in <way>', 'how people sign in: token, oidc or proxy', 'token')
    .option('--console-url <url>', 'address that people use, https://bravo.example.org')
    .option('--console-impersonation', 'let the console act as the people who signed in (proxy, oidc)')
    .option('--controller-role <role>', 'narrow, or cluster-admin for packages with kinds of other CRDs', 'narrow')
    .option('--controller-replicas <number>', 'how many controllers; 2 when not given')
    .option('--shards <number>', 'divide the Instances among the controllers: BRAVO_SHARDS, at least four for each')
    .option('--namespaces <names>', 'watch only these namespaces, with Roles and without cluster rights')
    .option('--remove', 'remove controller and console; CRDs, Instances and namespaces stay')
    .option('--remove-crds', 'with --remove: remove the CRDs too; refused while Instances exist')
    .option(
      '--delete-instance <namespace/name>',
      'with --remove-crds: first delete this Instance, with its cleanup plan; may be repeated',
      repeated,
    );
}

async function init(command: Command, flags: InitFlags): Promise<void> {
  const format = readFormat(flags.output);
  // A file that exists is kept, also if it cannot be parsed: somebody wrote it.
  const isRead = flags.dryRun === true || flags.remove === true;
  if (!isRead && !(await pathExists(repositoriesFile(homeFolder(flags))))) {
    await writeRepositories(flags, DEFAULT_LIST);
  }
  if (format === undefined && flags.remove !== true) {
    printLine(`$KUDO_HOME has been configured at ${homeFolder(flags)}`);
  }
  if (flags.clientOnly === true) return;
  const options = installationOptions(flags);
  const steps = installationSteps(options).slice(0, flags.crdOnly === true ? 1 : undefined);
  if (format !== undefined && flags.verify !== true) {
    printLine(
      formatMany(
        steps.flatMap(({ objects }) => objects),
        format,
      ),
    );
  }
  if (flags.dryRun === true && flags.remove !== true) return;
  await withSession(command, (session) => initCluster(session, { options, steps, flags }), 'rethrow');
}

interface Wish {
  readonly options: InstallationOptions;
  readonly steps: readonly InstallationStep[];
  readonly flags: InitFlags;
}

async function initCluster(session: ClusterSession, { options, steps, flags }: Wish): Promise<void> {
  const { namespace } = options;
  const printStep = readFormat(flags.output) === undefined ? printLine : () => undefined;
  if (flags.remove === true) {
    await removeBravo(session, {
      options,
      dryRun: flags.dryRun === true,
      removeCrds: flags.removeCrds === true,
      instances: flags.deleteInstance ?? [],
      printLine: printStep,
    });
    return;
  }
  if (flags.verify === true) {
    await verify(session, { options, hasImage: hasImage(flags), crdOnly: flags.crdOnly === true });
    return;
  }
  await installBravo(session, steps, {
    options,
    hasImage: hasImage(flags),
    upgrade: flags.upgrade === true,
    printLine: printStep,
  });
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
