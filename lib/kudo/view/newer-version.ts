import { nameOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import { compare, otherVersions } from './version-move';

/**
 * The newest OperatorVersion of the same operator and namespace that is newer than this one; undefined when this is the
 * newest. `version` is the application's version, else the operator's own.
 */
export function newerVersion(
  version: OperatorVersion,
  all: ReadonlyMap<string, OperatorVersion>,
): { name: string; version: string } | undefined {
  const [newest] = otherVersions(version, [...all.values()]);
  if (newest === undefined || compare(newest, version) <= 0) return undefined;
  const { appVersion = '', version: own = '' } = newest.spec ?? {};
  const isSameApplication = appVersion === (version.spec?.appVersion ?? '');
  return { name: nameOf(newest), version: isSameApplication ? own : appVersion };
}
