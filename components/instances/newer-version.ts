import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import { compareVersions } from '@/lib/kudo/versions';

/**
 * The newest OperatorVersion of the same operator and namespace that is newer than this one, by the application's version
 * and then the operator's; undefined when this is the newest. `version` is the one of the two that a person would name.
 */
export function newerVersion(
  version: OperatorVersion,
  all: ReadonlyMap<string, OperatorVersion>,
): { name: string; version: string } | undefined {
  const operator = version.spec?.operator?.name;
  if (operator === undefined) return undefined;
  let newest: OperatorVersion = version;
  for (const candidate of all.values()) {
    const isSibling = candidate.spec?.operator?.name === operator && namespaceOf(candidate) === namespaceOf(version);
    if (isSibling && compare(candidate, newest) > 0) newest = candidate;
  }
  if (newest === version) return undefined;
  const { appVersion = '', version: own = '' } = newest.spec ?? {};
  const isSameApplication = appVersion === (version.spec?.appVersion ?? '');
  return { name: nameOf(newest), version: isSameApplication ? own : appVersion };
}

function compare(a: OperatorVersion, b: OperatorVersion): number {
  return (
    compareVersions(a.spec?.appVersion ?? '', b.spec?.appVersion ?? '') ||
    compareVersions(a.spec?.version ?? '', b.spec?.version ?? '')
  );
}
