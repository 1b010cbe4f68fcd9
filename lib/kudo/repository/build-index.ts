import type { JsonObject } from '@/lib/json/json';
import { packageFileName } from '../names';
import type { PackageOperator } from '../package/types';
import { canonicalYaml } from '../rendering/canonical-yaml';
import { byBestVersion } from '../versions';
import type { IndexEntry, RepositoryIndex } from './index-file';
import { lifecycleObject, lifecycleOf } from './lifecycle';

/** The base of addresses when none is given (KUDO's). */
const DEFAULT_BASE = 'http://localhost';

/** The entry of a package's archive in an index. `digest` is the SHA-256 of the archive in hex. */
export function indexEntry(operator: PackageOperator, base: string, digest: string): IndexEntry {
  const { name, operatorVersion, appVersion = '', description, maintainers } = operator;
  const prefix = (base === '' ? DEFAULT_BASE : base).replace(/\/$/, '');
  return {
    name,
    operatorVersion,
    appVersion,
    ...(description === undefined ? {} : { description }),
    maintainers,
    urls: [`${prefix}/${packageFileName(name, operatorVersion, operator.appVersion)}`],
    removed: false,
    digest,
    ...(operator.upgradableFrom === undefined ? {} : { upgradableFrom: operator.upgradableFrom }),
  };
}

/**
 * Adds entries; the first of equal versions is kept.
 *
 * @returns the new index, and what could not be added, in KUDO's words
 */
export function addToIndex(
  index: RepositoryIndex,
  added: readonly IndexEntry[],
): { readonly index: RepositoryIndex; readonly problems: readonly string[] } {
  const entries = new Map([...index.entries].map(([name, versions]) => [name, [...versions]]));
  const problems: string[] = [];
  for (const entry of added) {
    const versions = entries.get(entry.name) ?? [];
    if (entry.operatorVersion === '') problems.push(`operator '${entry.name}' is missing operator version`);
    else if (versions.some((other) => isSameVersion(other, entry))) {
      const version = entry.appVersion === '' ? entry.operatorVersion : `${entry.appVersion}_${entry.operatorVersion}`;
      problems.push(`operator '${entry.name}' version: ${version} already exists`);
    } else entries.set(entry.name, [...versions, entry].sort(byBestVersion));
  }
  return { index: { entries }, problems };
}

/**
 * Merges two indexes; if both have a version, that of the first index is kept. What only the second one says about upgrades (channels,
 * advisories, a withdrawal) is added to it, so that an index that is made anew from its archives keeps it.
 */
export function mergeIndexes(first: RepositoryIndex, second: RepositoryIndex): RepositoryIndex {
  const kept = [...first.entries].map(([name, versions]) => {
    const others = second.entries.get(name) ?? [];
    const withOther = (entry: IndexEntry): IndexEntry => {
      const other = others.find((each) => isSameVersion(each, entry));
      return other === undefined ? entry : { ...lifecycleOf(other), ...entry };
    };
    return [name, versions.map(withOther)] as const;
  });
  return addToIndex({ entries: new Map(kept) }, [...second.entries.values()].flat()).index;
}

function isSameVersion(a: IndexEntry, b: IndexEntry): boolean {
  return a.appVersion === b.appVersion && a.operatorVersion === b.operatorVersion;
}

/** The text of `index.yaml`. `generated` is RFC 3339. */
export function formatIndex({ entries }: RepositoryIndex, generated: string): string {
  const names = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return canonicalYaml({
    apiVersion: 'v1',
    entries: Object.fromEntries(names.map(([name, versions]) => [name, versions.map(entryObject)])),
    generated,
  });
}

function entryObject(entry: IndexEntry): JsonObject {
  const { name, operatorVersion, appVersion, description, maintainers, urls, removed, digest } = entry;
  return {
    name,
    operatorVersion,
    urls: [...urls],
    ...(appVersion === '' ? {} : { appVersion }),
    ...(description === undefined ? {} : { description }),
    ...(maintainers.length === 0
      ? {}
      : { maintainers: maintainers.map(({ name: who = '', email = '' }) => ({ name: who, email })) }),
    ...(removed ? { removed } : {}),
    ...(digest === '' ? {} : { digest }),
    ...lifecycleObject(entry),
  };
}
