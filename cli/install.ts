import { Command } from 'commander';
import { messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { decideAdmission } from '@/lib/kudo/admission/decision';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { newInstance } from '@/lib/kudo/package/to-objects';
import { missingParameters } from '@/lib/kudo/parameters/parameters';
import { sourceTexts } from '@/lib/kudo/sources/parameter-source';
import type { OperatorVersion, ParameterSource } from '@/lib/kudo/types';
import { undeclaredDestruction } from '@/lib/kudo/verify/check-destruction';
import { byBestVersion } from '@/lib/kudo/versions';
import { type InstallStep, install } from '@/server/packages/install';
import { type PreparedInstall, prepareInstall } from '@/server/packages/prepare-install';
import { getInstance, isTimeout, type WaitFlags, waitForPlan } from './support/instances';
import { findPackageArgument, onlyArgument, type PackageFlags } from './support/packages';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { type ClusterSession, withSession } from './support/session';
import { readSourceFlags, type SourceFlags, withSourceFlags } from './support/source-flags';
import { warnIfNoController } from './support/warn-if-no-controller';

interface InstallFlags extends ParameterFlags, SourceFlags, PackageFlags, WaitFlags {
  readonly instance?: string;
  readonly skipInstance?: boolean;
  readonly createNamespace?: boolean;
  readonly inCluster?: boolean;
  readonly adoptCrd?: boolean;
  readonly skipCrds?: boolean;
}

/** The parameters that the flags set. */
interface Values {
  readonly parameters: { [name: string]: string };
  readonly parametersFrom: ParameterSource[];
}

/** `bravo install PACKAGE`: creates Operator, OperatorVersion and Instance of a package, and of the packages that it needs. */
export function installCommand(): Command {
  const command = new Command('install')
    .description('Install a package: a folder, a .tgz file, the http, https or oci address of one, or a name')
    .argument('[package...]', 'the package')
    .option('--instance <name>', 'name of the instance (default: NAME-instance)')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator')
    .option('--repo <name>', 'look the package up in this repository of the list (bravo repo list)')
    .option('--skip-instance', 'install the operator without an instance')
    .option('--create-namespace', 'create the namespace first')
    .option('--in-cluster', 'use a version that is already installed in the cluster')
    .option('--adopt-crd', 'replace CRDs of the same names that Bravo did not make')
    .option('--skip-crds', 'install the operator without the kinds that it brings')
    .option('--wait', 'wait until the deploy plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withSourceFlags(withParameterFlags(command)).action(
    async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<InstallFlags>();
      const parameters = await readParameters(flags);
      const values = { parameters, parametersFrom: Object.values(readSourceFlags(flags, parameters)) };
      const name = onlyArgument(words, 'expecting exactly one argument - name of the package or path to install');
      if (flags.inCluster === true && (flags.skipInstance === true || flags.repo !== undefined)) {
        const message = "you can't use skip-instance or repo option when installing from in-cluster operators";
        throw new TerminalError(message, 'InvalidArguments');
      }
      await withSession(self, async (session) => {
        const instance =
          flags.inCluster === true
            ? await installKnown(session, name, flags, values)
            : await installPackage(session, name, flags, values);
        if (flags.wait !== true || instance === undefined) return;
        await waitUntilReady(session, instance, flags);
        session.printLine(`instance ${session.namespace}/${instance} ready`);
      });
    },
  );
}

async function waitUntilReady(session: ClusterSession, name: string, flags: WaitFlags): Promise<void> {
  const place = `${session.namespace}/${name}`;
  await waitForPlan(session, name, flags).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
    session.printLine(`timeout waiting for instance ${place}`);
    throw new TransientError(`failed to wait on instance ${place}: ${messageOf(error)}`, 'Timeout', { cause: error });
  });
}

async function installPackage(
  session: ClusterSession,
  name: string,
  flags: InstallFlags,
  values: Values,
): Promise<string | undefined> {
  const { loaded, context } = await findPackageArgument(name, flags).catch((error: unknown) => {
    throw new TerminalError(`failed to resolve operator package for: ${name} ${messageOf(error)}`, 'PackageNotFound', {
      cause: error,
    });
  });
  const { namespace } = session;
  const prepared = await prepareInstall({
    loaded,
    context,
    namespace,
    instance: flags.instance || undefined,
    ...values,
  });
  warn(prepared);
  for (const { message } of undeclaredDestruction(loaded.package)) process.stderr.write(`Warning: ${message}\n`);
  const { instance } = await install(session.api, {
    prepared,
    skipInstance: flags.skipInstance,
    ownCrds: ownCrdsOf(flags),
    createNamespace: flags.createNamespace,
    existingNamespace: 'refuse',
    explain: installFailed,
    onStep: (step) => printStep(session, step),
  });
  if (instance !== undefined) await warnIfNoController(session, instance);
  return instance?.metadata.name;
}

function ownCrdsOf({ adoptCrd, skipCrds }: InstallFlags): 'install' | 'adopt' | 'skip' {
  if (skipCrds === true) return 'skip';
  return adoptCrd === true ? 'adopt' : 'install';
}

/** The API server's message in KUDO's sentence. */
export function installFailed(kind: string, place: string, error: unknown): TerminalError {
  return new TerminalError(
    `failed to install ${kind.toLowerCase()} ${place}: installing ${kind}: ${messageOf(error)}`,
    'InstallFailed',
    { cause: error },
  );
}

function warn({ decision }: PreparedInstall): void {
  for (const warning of decision.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
}

/** Prints one line for a step, as KUDO does; an Operator that existed gets none. */
export function printStep(
  session: Pick<ClusterSession, 'printLine'>,
  { did, kind, namespace, name, message = '' }: InstallStep,
): void {
  const label = `${kind.toLowerCase()} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  if (did === 'created' || did === 'updated') session.printLine(`${label} ${did}`);
  else if (did === 'refused') process.stderr.write(`Warning: ${label} was not written. ${message}\n`);
  else if (kind === 'OperatorVersion') {
    session.printLine(`${label} already installed`);
    if (did === 'differs') {
      process.stderr.write(`Warning: ${label} differs from the package; the installed one was kept\n`);
    }
  }
}

/** `--in-cluster`: creates an Instance of the best installed version that matches. */
async function installKnown(
  session: ClusterSession,
  name: string,
  flags: InstallFlags,
  values: Values,
): Promise<string> {
  const { api, namespace } = session;
  const { items } = await api.list({ ...OPERATOR_VERSIONS, namespace });
  if (items.length === 0) {
    throw new TerminalError(`failed to find any operator version in namespace ${namespace}`, 'NotFound');
  }
  const versions = (items as OperatorVersion[])
    .filter((each) => each.spec?.operator?.name === name)
    .map((object) => ({
      object,
      appVersion: object.spec?.appVersion ?? '',
      operatorVersion: object.spec?.version ?? '',
    }))
    .sort(byBestVersion);
  const matches = (wanted: string | undefined, is: string): boolean =>
    wanted === undefined || wanted === '' || wanted === is;
  const found = versions.find(
    (each) => matches(flags.appVersion, each.appVersion) && matches(flags.operatorVersion, each.operatorVersion),
  );
  if (found === undefined) {
    const wanted = `for name "${name}", version "${flags.operatorVersion ?? ''}", appVersion "${flags.appVersion ?? ''}"`;
    throw new TerminalError(`failed to resolve operator version in namespace "${namespace}" ${wanted}`, 'NotFound');
  }
  const missing = missingParameters(found.object, { ...values.parameters, ...sourceTexts(values) });
  if (missing.length > 0) {
    throw new TerminalError(
      `missing required parameters during installation: ${missing.join(',')}`,
      'MissingParameters',
    );
  }
  const instance = newInstance(found.object, { namespace, name: flags.instance || undefined, ...values });
  const instanceName = instance.metadata.name ?? '';
  const decision = decideAdmission({
    operation: 'CREATE',
    new: instance,
    newOperatorVersion: found.object,
    newUid: 'preview',
  });
  if (decision.outcome === 'denied') throw new TerminalError(decision.message ?? '', 'Denied');
  if ((await getInstance(session, instanceName)) !== undefined) {
    const message = `cannot install instance '${instanceName}' because an instance of that name already exists in namespace ${namespace}`;
    throw new TerminalError(message, 'AlreadyExists');
  }
  const created = await api.create({ ...INSTANCES, namespace }, instance).catch((error: unknown) => {
    throw installFailed('Instance', `${namespace}/${instanceName}`, error);
  });
  session.printLine(`instance ${namespace}/${instanceName} created`);
  await warnIfNoController(session, created);
  return instanceName;
}
