import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { PackageOperator } from '@/lib/kudo/package/types';
import { gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import type { OperatorVersion } from '@/lib/kudo/types';
import { releaseName } from '@/lib/kudo/upgrades/find-path';
import { whyNotFrom } from '@/lib/kudo/upgrades/version-range';
import { compareVersions, parseVersion } from '@/lib/kudo/versions';
import { executionUids } from '@/server/packages/await-plan';
import { installVersions } from '@/server/packages/install';
import type { LoadedPackage } from '@/server/packages/loaded-package';
import type { PackageReference } from '@/server/packages/package-reference';
import { prepareInstall } from '@/server/packages/prepare-install';
import type { ResolveContext } from '@/server/packages/resolve';
import { previewChange } from '@/server/preconditions/preview-change';
import { planUpgrade } from '@/server/upgrades/plan-upgrade';
import { printStep } from './install';
import { type ConfirmFlags, confirmationFor, withConfirmFlag } from './support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from './support/gate-flags';
import { getInstance, getOperatorVersion, type WaitFlags, waitForPlan } from './support/instances';
import { findPackageArgument, onlyArgument, type PackageFlags } from './support/packages';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { type PreviewFlags, readPreviewFormat, showPreview, withPreviewFlags } from './support/preview-flags';
import { type ClusterSession, withSession } from './support/session';
import { writeOrWarn } from './support/warn-if-no-controller';
import { printPlans } from './upgrades/plan';

interface UpgradeFlags extends ParameterFlags, PackageFlags, WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly instance?: string;
  readonly reason?: string;
  readonly plan?: boolean;
}

/** `bravo upgrade PACKAGE --instance I`: moves an Instance to a newer version of its operator. */
export function upgradeCommand(): Command {
  const command = new Command('upgrade')
    .description('Move an instance to a newer version of its operator')
    .argument('[package...]', 'the package')
    .option('--instance <name>', 'the instance')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator')
    .option('--repo <name>', 'look the package up in this repository of the list (bravo repo list)')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--plan', 'show what the upgrade would do, and do nothing')
    .option('--wait', 'wait until the plan that starts is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withPreviewFlags(withGateFlags(withConfirmFlag(withParameterFlags(command)))).action(
    async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<UpgradeFlags>();
      readPreviewFormat(flags);
      const parameters = await readParameters(flags);
      const name = onlyArgument(words, 'expecting exactly one argument - name of the package or path to upgrade');
      if ((flags.instance ?? '') === '') {
        throw new TerminalError(
          'please use --instance and specify instance name. It cannot be empty',
          'InvalidArguments',
        );
      }
      await withSession(self, (session) => upgrade(session, name, flags, parameters));
    },
  );
}

async function upgrade(
  session: ClusterSession,
  packageName: string,
  flags: UpgradeFlags,
  parameters: { [name: string]: string },
): Promise<void> {
  const { api, namespace } = session;
  const name = flags.instance ?? '';
  const { loaded, context } = await findPackageArgument(packageName, flags).catch((error: unknown) => {
    const message = `failed to resolve operator package for: ${packageName}: ${messageOf(error)}`;
    throw new TerminalError(message, 'PackageNotFound', { cause: error });
  });
  const instance = await getInstance(session, name);
  if (instance === undefined) {
    throw new TerminalError(`instance ${namespace}/${name} does not exist in the cluster`, 'NotFound');
  }
  const current = await getOperatorVersion(session, instance);
  if (current === undefined) {
    const missing = instance.spec?.operatorVersion?.name ?? '';
    throw new TerminalError(`operatorversion ${namespace}/${missing} does not exist in the cluster`, 'NotFound');
  }
  if (flags.plan === true) return printPlan(session, { loaded, context, name, parameters });
  const prepared = await prepareInstall({ loaded, context, namespace, instance: name, parameters });
  checkIsNewer(current, prepared.operatorVersion);
  checkRange(current, loaded.package.operator);
  const { operatorVersion } = prepared;
  const edit = { operatorVersion, parameters, ...gateWishes(flags) };
  if (flags.preview === true) return showPreview(session, { instance, operatorVersion: current }, { edit }, flags);
  const preview = await previewChange(api, instance, current, edit);
  const newName = prepared.operatorVersion.metadata.name ?? '';
  const failed = `failed to update instance for new operatorversion ${namespace}/${newName}: `;
  if (preview.outcome === 'refused') throw new TerminalError(`${failed}${preview.message ?? ''}`, 'Denied');
  const said = requestAnnotations(preview.plan, wishesOf(flags));
  const annotations = { ...(await confirmationFor(preview, operatorVersion, flags)), ...said };
  await installVersions(api, prepared, { onStep: (step) => printStep(session, step), ownCrds: 'try' }).catch(
    (error: unknown) => {
      const message = `failed to install new operatorversion ${namespace}/${newName}: ${messageOf(error)}`;
      throw new TerminalError(message, 'InstallFailed', { cause: error });
    },
  );
  const patch = {
    metadata: { annotations },
    spec: { operatorVersion: { name: newName }, parameters, planExecution: {} },
  };
  const target = { ...INSTANCES, namespace, name };
  await writeOrWarn(session, () => api.patch(target, 'merge', patch)).catch((error: unknown) => {
    throw new TerminalError(`${failed}${messageOf(error)}`, 'Denied', { cause: error });
  });
  session.printLine(`instance ${namespace}/${name} updated`);
  if (flags.wait === true) await waitForPlan(session, name, flags, executionUids(instance));
}

interface PackageUpgrade {
  readonly loaded: LoadedPackage;
  readonly context: ResolveContext;
  readonly name: string;
  readonly parameters: { readonly [name: string]: string };
}

/** The plan of an upgrade to this package, whichever versions a repository has. */
async function printPlan(
  session: ClusterSession,
  { loaded, context, name, parameters }: PackageUpgrade,
): Promise<void> {
  const { api, clock, namespace } = session;
  const { operatorVersion, appVersion = '', upgradableFrom } = loaded.package.operator;
  const release = { operatorVersion, appVersion, ...(upgradableFrom === undefined ? {} : { upgradableFrom }) };
  const isIt = (each: PackageReference) =>
    each.name === loaded.package.operator.name && each.operatorVersion === operatorVersion;
  const source = {
    releases: async () => [release],
    find: async (each: PackageReference) => (isIt(each) ? loaded : context.catalogue.find(each)),
  };
  const wish = { to: releaseName(release), parameters };
  printPlans(session, [await planUpgrade({ api, clock, source }, { namespace, name }, wish)]);
}

/** Refuses a version that says that it does not upgrade from the present one. */
function checkRange(
  { spec }: OperatorVersion,
  { upgradableFrom, operatorVersion, appVersion = '' }: PackageOperator,
): void {
  const installed = { operatorVersion: spec?.version ?? '', appVersion: spec?.appVersion ?? '' };
  const why = whyNotFrom(upgradableFrom, installed);
  if (why === undefined) return;
  const next = releaseName({ operatorVersion, appVersion });
  const message = `version ${next} ${why}, and not from ${releaseName(installed)}: upgrade to a version between them first`;
  throw new TerminalError(message, 'NotUpgradable');
}

/** Refuses a version that is not newer, and a package of another operator (KUDO accepted the latter). */
function checkIsNewer(current: OperatorVersion, next: OperatorVersion): void {
  const [was, is] = [current.spec?.version ?? '', next.spec?.version ?? ''];
  const [oldOperator, newOperator] = [current.spec?.operator?.name, next.spec?.operator?.name];
  const refuse = (message: string): never => {
    throw new TerminalError(message, 'NotUpgradable');
  };
  if (oldOperator !== newOperator)
    refuse(`the package is operator ${newOperator}, but the instance belongs to operator ${oldOperator}`);
  for (const version of [was, is]) {
    if (parseVersion(version) === undefined) refuse(`failed to parse ${version} as semver: Invalid Semantic Version`);
  }
  if (compareVersions(is, was) <= 0) {
    refuse(`upgraded version ${is} is the same or smaller as current version ${was} -> not upgrading`);
  }
}
