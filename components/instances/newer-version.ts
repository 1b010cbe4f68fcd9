import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * The newest OperatorVersion of the same operator and namespace that is newer than this one, by the operator's version and
 * then the application's; undefined when this is the newest.
 */
export function newerVersion(
  version: OperatorVersion,
  all: ReadonlyMap<string, OperatorVersion>,
): { name: string; version: string } | undefined {
  const operator = version.spec?.operator?.name;
  let newest: OperatorVersion = version;
  for (const candidate of all.values()) {
    const isSibling = candidate.spec?.operator?.name === operator && namespaceOf(candidate) === namespaceOf(version);
    if (isSibling && compare(candidate, newest) > 0) newest = candidate;
  }
  if (newest === version || operator === undefined) return undefined;
  const { appVersion = '', version: own = '' } = newest.spec ?? {};
  const isSameApplication = appVersion === (version.spec?.appVersion ?? '');
  return { name: nameOf(newest), version: isSameApplication ? own : appVersion };
}

function compare(a: OperatorVersion, b: OperatorVersion): number {
  return (
    compareVersions(a.spec?.version ?? '', b.spec?.version ?? '') ||
    compareVersions(a.spec?.appVersion ?? '', b.spec?.appVersion ?? '')
  );
}

/** Dotted numbers by value, then texts; a pre-release (`1.0-rc`) comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [aMain = '', aPre] = a.replace(/^v/, '').split(/-(.*)/s);
  const [bMain = '', bPre] = b.replace(/^v/, '').split(/-(.*)/s);
  const left = aMain.split('.');
  const right = bMain.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = Number(left[index] ?? 0) - Number(right[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
    if (Number.isNaN(difference)) return (left[index] ?? '').localeCompare(right[index] ?? '');
  }
  if (aPre === bPre) return 0;
  if (aPre === undefined) return 1;
  return bPre === undefined ? -1 : aPre.localeCompare(bPre, 'en', { numeric: true });
}
