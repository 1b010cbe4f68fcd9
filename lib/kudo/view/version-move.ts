import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import { compareVersions } from '@/lib/kudo/versions';

/** Other OperatorVersions of the same operator and namespace, newest first. */
export function otherVersions(version: OperatorVersion, all: readonly OperatorVersion[]): OperatorVersion[] {
  return all
    .filter(
      (candidate) =>
        candidate.spec?.operator?.name === version.spec?.operator?.name &&
        namespaceOf(candidate) === namespaceOf(version) &&
        nameOf(candidate) !== nameOf(version),
    )
    .sort((a, b) => compare(b, a));
}

/** Below 0 when `a` is older: by the application's version, then by the operator's. */
export function compare(a: OperatorVersion, b: OperatorVersion): number {
  return (
    compareVersions(a.spec?.appVersion ?? '', b.spec?.appVersion ?? '') ||
    compareVersions(a.spec?.version ?? '', b.spec?.version ?? '')
  );
}

/** `16.9 (operator 1.1.0)`. */
export function versionLabel(version: OperatorVersion): string {
  const { appVersion = '', version: own = '' } = version.spec ?? {};
  return appVersion === '' ? own : `${appVersion} (operator ${own})`;
}

export interface ParameterMoves {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Parameters whose default differs: name, default now, default then. */
  readonly defaults: readonly (readonly [string, string, string])[];
}

/** How the parameters differ between two versions. */
export function parameterMoves(from: OperatorVersion, to: OperatorVersion): ParameterMoves {
  const before = new Map((from.spec?.parameters ?? []).map((parameter) => [parameter.name, parameter.default ?? '']));
  const after = new Map((to.spec?.parameters ?? []).map((parameter) => [parameter.name, parameter.default ?? '']));
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    defaults: [...after].flatMap(([name, then]) => {
      const now = before.get(name);
      return now === undefined || now === then ? [] : [[name, now, then] as const];
    }),
  };
}
