import { operatorVersionKey } from '@/lib/kudo/names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { versionKeyOf } from '@/lib/kudo/package/catalogue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { compareVersions } from '@/lib/kudo/versions';

/** One version of an operator: as a package, as objects in the cluster, or both. */
export interface VersionRow {
  readonly key: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
  readonly origin: PackageSummary['origin'] | undefined;
  /** Namespaces that hold its OperatorVersion. */
  readonly namespaces: readonly string[];
  readonly instanceCount: number;
}

/** An operator with all its versions, the best first. */
export interface OperatorRow {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly VersionRow[];
  readonly instanceCount: number;
  readonly warningCount: number;
}

/** The catalogue and what is in the cluster, joined by operator. Sorted by name. */
export function operatorRows(
  packages: readonly PackageSummary[],
  installed: readonly OperatorVersion[],
  instances: readonly Instance[],
): OperatorRow[] {
  const names = new Set([...packages.map(({ name }) => name), ...installed.map(operatorNameOf)]);
  names.delete('');
  return [...names].sort().map((name) => {
    const versions = versionRows(
      packages.filter((each) => each.name === name),
      installed.filter((each) => operatorNameOf(each) === name),
      instances,
    );
    const best = packages.find((each) => each.name === name);
    return {
      name,
      description: best?.description ?? '',
      versions,
      instanceCount: versions.reduce((sum, { instanceCount }) => sum + instanceCount, 0),
      warningCount: best?.warnings.length ?? 0,
    };
  });
}

/** Keeps the operators whose name or description holds every word. */
export function filterOperators(rows: readonly OperatorRow[], filter: string): readonly OperatorRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
}

/**
 * The key of the version that a text means: the key itself, else the best one with that application version, else with that
 * operator version; undefined when there is none.
 */
export function versionKeyFor(rows: readonly OperatorRow[], name: string, text: string): string | undefined {
  const versions = rows.find((row) => row.name === name)?.versions ?? [];
  const found =
    versions.find(({ key }) => key === text) ??
    versions.find(({ appVersion }) => appVersion !== '' && appVersion === text) ??
    versions.find(({ operatorVersion }) => operatorVersion === text);
  return found?.key;
}

/** The Instances that run one version of an operator. */
export function instancesOfVersion(
  instances: readonly Instance[],
  installed: readonly OperatorVersion[],
  name: string,
  key: string,
): Instance[] {
  const places = new Set(
    installed
      .filter((version) => operatorNameOf(version) === name && versionKeyOf(version) === key)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  return instances.filter((instance) => {
    const place = operatorVersionKey(instance);
    return places.has(`${place.namespace}/${place.name}`);
  });
}

function versionRows(
  packages: readonly PackageSummary[],
  installed: readonly OperatorVersion[],
  instances: readonly Instance[],
): VersionRow[] {
  const keys = new Set([...packages.map(({ key }) => key), ...installed.map(versionKeyOf)]);
  return [...keys]
    .map((key): VersionRow => {
      const pack = packages.find((each) => each.key === key);
      const objects = installed.filter((each) => versionKeyOf(each) === key);
      const name = pack?.name ?? operatorNameOf(objects[0]);
      return {
        key,
        operatorVersion: pack?.operatorVersion ?? objects[0]?.spec?.version ?? '',
        appVersion: pack?.appVersion ?? objects[0]?.spec?.appVersion ?? '',
        origin: pack?.origin,
        namespaces: objects.map(({ metadata }) => metadata.namespace ?? '').sort(),
        instanceCount: instancesOfVersion(instances, objects, name, key).length,
      };
    })
    .sort(
      (a, b) => compareVersions(b.appVersion, a.appVersion) || compareVersions(b.operatorVersion, a.operatorVersion),
    );
}

function operatorNameOf(version: OperatorVersion | undefined): string {
  return version?.spec?.operator?.name ?? '';
}
