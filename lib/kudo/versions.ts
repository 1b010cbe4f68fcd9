import { compareSemver, parseLooseSemver, type Semver } from '@/lib/semver/semver';

/** A version as KUDO reads it (Masterminds/semver NewVersion); undefined when the text is not one. */
export function parseVersion(text: string): Semver | undefined {
  const parsed = parseLooseSemver(text);
  return typeof parsed === 'string' ? undefined : parsed;
}

/**
 * Orders two versions ascending: semantic versions by precedence, others by text and below any semantic version (KUDO
 * pkg/util/kudo/versions.go).
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const [x, y] = [parseVersion(a), parseVersion(b)];
  if (x !== undefined && y !== undefined) return compareSemver(x, y);
  if (x === undefined && y === undefined) return a < b ? -1 : 1;
  return x === undefined ? -1 : 1;
}

/** Something with the two versions of an operator. */
export interface Versioned {
  readonly appVersion: string;
  readonly operatorVersion: string;
}

/** Best first: by appVersion descending, within it by operatorVersion descending. */
export function byBestVersion(a: Versioned, b: Versioned): number {
  return compareVersions(b.appVersion, a.appVersion) || compareVersions(b.operatorVersion, a.operatorVersion);
}
