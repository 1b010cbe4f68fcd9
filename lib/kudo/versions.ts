/** Versions as KUDO reads them: Masterminds/semver v3 `NewVersion`, which takes `v1`, `1`, `1.2` and `1.2.3-rc1+x`. */

const SEMVER =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

export interface SemanticVersion {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

/** The parts of a version, or undefined when the text is none. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = SEMVER.exec(text);
  if (match === null) return undefined;
  const [, major = '0', minor = '0', patch = '0', prerelease] = match;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    prerelease: prerelease === undefined ? [] : prerelease.split('.'),
  };
}

/** Orders two versions ascending: semver by semver, others by text and below any semver (KUDO pkg/util/kudo/versions.go). */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const [x, y] = [parseVersion(a), parseVersion(b)];
  if (x !== undefined && y !== undefined) return compareSemantic(x, y);
  if (x === undefined && y === undefined) return a < b ? -1 : 1;
  return x === undefined ? -1 : 1;
}

function compareSemantic(a: SemanticVersion, b: SemanticVersion): number {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] < b.numbers[index] ? -1 : 1;
  }
  return comparePrerelease(a.prerelease, b.prerelease);
}

/** Semver 2.0 §11: none is above any; numbers below words; the longer list is above. */
function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return (a.length === 0 ? 1 : 0) - (b.length === 0 ? 1 : 0);
  for (const [index, x] of a.entries()) {
    const y = b[index];
    if (y === undefined) return 1;
    if (x !== y) return compareIdentifiers(x, y);
  }
  return a.length < b.length ? -1 : 0;
}

/** Two identifiers of prereleases that differ. */
function compareIdentifiers(x: string, y: string): number {
  const [isNumberX, isNumberY] = [/^[0-9]+$/.test(x), /^[0-9]+$/.test(y)];
  if (isNumberX && isNumberY) return BigInt(x) < BigInt(y) ? -1 : 1;
  if (isNumberX !== isNumberY) return isNumberX ? -1 : 1;
  return x < y ? -1 : 1;
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
