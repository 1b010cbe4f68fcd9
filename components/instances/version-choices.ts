import { nameOf } from '@/lib/kube/object';
import { operatorVersionName } from '@/lib/kudo/names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { OperatorVersion } from '@/lib/kudo/types';
import { compareVersions } from '@/lib/kudo/versions';
import { otherVersions } from '@/lib/kudo/view/version-move';

/** A version that an Instance can be moved to. */
export interface VersionChoice {
  /** The name of its OperatorVersion. */
  readonly name: string;
  readonly appVersion: string;
  readonly operatorVersion: string;
  /** The OperatorVersion of the namespace; undefined for one that only the catalogue has. */
  readonly installed: OperatorVersion | undefined;
  /** The version key of its package; undefined for one that the catalogue does not have. */
  readonly packageKey: string | undefined;
}

/** Every other version of the operator, in the namespace or in the catalogue, newest first. */
export function versionChoices(
  current: OperatorVersion,
  installed: readonly OperatorVersion[],
  packages: readonly PackageSummary[],
): VersionChoice[] {
  const operator = current.spec?.operator?.name ?? '';
  const byName = new Map<string, VersionChoice>();
  for (const { name, key, appVersion, operatorVersion } of packages) {
    if (name !== operator) continue;
    const versionName = operatorVersionName(operator, operatorVersion, appVersion);
    if (versionName === nameOf(current)) continue;
    byName.set(versionName, { name: versionName, appVersion, operatorVersion, installed: undefined, packageKey: key });
  }
  for (const version of otherVersions(current, installed)) {
    const { appVersion = '', version: operatorVersion = '' } = version.spec ?? {};
    const packageKey = byName.get(nameOf(version))?.packageKey;
    byName.set(nameOf(version), { name: nameOf(version), appVersion, operatorVersion, installed: version, packageKey });
  }
  return [...byName.values()].sort((a, b) => compareChoices(b, a));
}

type Versions = Pick<VersionChoice, 'appVersion' | 'operatorVersion'>;

/** Below 0 when `a` is older: by the application's version, then by the operator's. */
export function compareChoices(a: Versions, b: Versions): number {
  return compareVersions(a.appVersion, b.appVersion) || compareVersions(a.operatorVersion, b.operatorVersion);
}

/** `16.9 (operator 1.1.0), not installed yet`. */
export function choiceLabel({ appVersion, operatorVersion, installed }: VersionChoice): string {
  const version = appVersion === '' ? operatorVersion : `${appVersion} (operator ${operatorVersion})`;
  return installed === undefined ? `${version}, not installed yet` : version;
}
