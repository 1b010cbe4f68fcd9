import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionName } from '@/lib/kudo/names';
import type { Operator, OperatorVersion } from '@/lib/kudo/types';
import type { Release } from '@/lib/kudo/upgrades/find-path';
import type { Api } from '@/server/kube/api';
import type { LoadUrl } from '@/server/packages/find-in-scope';
import { installVersions } from '@/server/packages/install';
import type { PackageSource } from '@/server/packages/package-reference';
import { type PreparedInstall, prepareInstall } from '@/server/packages/prepare-install';

/** One version on the way of an upgrade. */
export interface StepVersion {
  readonly operatorVersion: OperatorVersion;
  /** The Operator of the package; undefined for a version that the namespace has already. */
  readonly operator: Operator | undefined;
  readonly isInstalled: boolean;
  /** What has to be created first; undefined when the namespace has the version. */
  readonly prepared: PreparedInstall | undefined;
}

/** Where the versions of an upgrade are installed, and from where they come. */
export interface StepContext {
  readonly api: Api;
  readonly source: PackageSource & { readonly loadUrl?: LoadUrl };
  readonly namespace: string;
  readonly operator: string;
}

/**
 * The OperatorVersions of a path: those of the namespace as they are stored, the others from their packages.
 *
 * @throws TerminalError when a package cannot be found or converted
 */
export async function stepVersions(context: StepContext, path: readonly Release[]): Promise<StepVersion[]> {
  const found: StepVersion[] = [];
  for (const release of path) found.push(await stepVersion(context, release));
  return found;
}

async function stepVersion({ api, source, namespace, operator }: StepContext, release: Release): Promise<StepVersion> {
  const { operatorVersion: wanted, appVersion } = release;
  const name = operatorVersionName(operator, wanted, appVersion);
  const stored = (await api.get({ ...OPERATOR_VERSIONS, namespace, name })) as OperatorVersion | undefined;
  if (stored !== undefined)
    return { operatorVersion: stored, operator: undefined, isInstalled: true, prepared: undefined };
  const loaded = await source.find({ name: operator, operatorVersion: wanted, appVersion });
  const prepared = await prepareInstall({
    loaded,
    context: { catalogue: source, loadUrl: source.loadUrl, scope: loaded.scope },
    namespace,
  });
  const { operatorVersion, operator: own } = prepared;
  return { operatorVersion, operator: own, isInstalled: false, prepared };
}

/** Creates the OperatorVersions of a path that the namespace does not have, with what they depend on. Can be repeated. */
export async function installSteps(api: Api, steps: readonly StepVersion[], signal?: AbortSignal): Promise<void> {
  for (const { prepared } of steps) {
    if (prepared !== undefined) await installVersions(api, prepared, signal === undefined ? {} : { signal });
  }
}
