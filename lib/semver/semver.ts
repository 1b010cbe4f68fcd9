/** A version by semver.org 2.0; `prerelease` and `metadata` are empty when absent, without their `-` and `+`. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
}

/** Masterminds/semver 3.3 (Sprig 3.3, KUDO), or 1.5 (Sprig 2.22). */
export type SemverEdition = 'v3' | 'v1';

const LOOSE =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Masterminds' NewVersion, which also takes `v1`, `1` and `1.2`; a text is its error message. */
export function parseLooseSemver(text: string, edition: SemverEdition = 'v3'): Semver | string {
  // The pattern is unambiguous, so it takes linear time; newlines cannot match.
  const match = LOOSE.exec(text);
  if (match === null) return 'Invalid Semantic Version';
  const [, major = '0', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  if (edition === 'v3' && prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))) {
    return 'Version segment starts with 0';
  }
  const most = edition === 'v3' ? MOST_UINT64 : MOST_INT32;
  const tooLarge = [major, minor, patch].find((segment) => BigInt(segment) > most);
  if (tooLarge !== undefined) {
    const name = edition === 'v3' ? 'ParseUint' : 'ParseInt';
    return `Error parsing version segment: strconv.${name}: parsing "${tooLarge}": value out of range`;
  }
  return { major: BigInt(major), minor: BigInt(minor), patch: BigInt(patch), prerelease, metadata };
}

export const MOST_UINT64 = (1n << 64n) - 1n;
const MOST_INT32 = (1n << 31n) - 1n;

/** -1, 0 or 1 by precedence (semver.org §11): metadata does not count. */
export function compareSemver(a: Semver, b: Semver): number {
  return (
    compare(a.major, b.major) ||
    compare(a.minor, b.minor) ||
    compare(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A version without a prerelease is later than one with any. */
export function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const [partsA, partsB] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.max(partsA.length, partsB.length); index++) {
    const result = comparePart(partsA[index] ?? '', partsB[index] ?? '');
    if (result !== 0) return result;
  }
  return 0;
}

/** Numbers by value and before words; a part that is missing comes first. */
function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const [isNumberA, isNumberB] = [isUint64(a), isUint64(b)];
  if (isNumberA && isNumberB) return compare(BigInt(a), BigInt(b));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return compare(a, b);
}

/** Go's strconv.ParseUint reads it: a number that does not fit into 64 bits counts as a word. */
function isUint64(text: string): boolean {
  return /^[0-9]+$/.test(text) && BigInt(text) <= MOST_UINT64;
}
