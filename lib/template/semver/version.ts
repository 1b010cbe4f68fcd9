import { parseUint } from '../format/parse-number';
import { quote } from '../format/quote';
import { GoError } from '../template-error';
import { SemverVersion } from '../value/semver-version';

/** Which release of Masterminds/semver: 3.3 (Sprig 3.3) or the one of Sprig 2.22. */
export type SemverEdition = 'v3' | 'v1';

const VERSION =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** NewVersion: minor and patch may be missing, a `v` may stand before. @throws GoError */
export function parseVersion(text: string, edition: SemverEdition): SemverVersion {
  // The pattern is unambiguous, so it takes linear time; newlines cannot match.
  const match = VERSION.exec(text);
  if (match === null) throw new GoError('Invalid Semantic Version');
  const [, major = '0', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  if (edition === 'v3' && prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))) {
    throw new GoError('Version segment starts with 0');
  }
  return new SemverVersion(
    segment(major, edition),
    segment(minor, edition),
    segment(patch, edition),
    prerelease,
    metadata,
    text,
    true,
    edition === 'v1',
  );
}

function segment(text: string, edition: SemverEdition): bigint {
  const parsed = parseUint(text, 10);
  if (parsed.error === undefined && (edition === 'v3' || parsed.value < 1n << 31n)) return parsed.value;
  const name = edition === 'v3' ? 'ParseUint' : 'ParseInt';
  throw new GoError(`Error parsing version segment: strconv.${name}: parsing ${quote(text)}: value out of range`);
}

/** -1, 0 or 1 by major, minor, patch and prerelease; metadata does not count. */
export function compareVersions(a: SemverVersion, b: SemverVersion): number {
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

/** No prerelease is later than any. */
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

/** Numbers by value and before words; fewer parts come first. */
function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const [numberA, numberB] = [parseUint(a, 10), parseUint(b, 10)];
  const [isNumberA, isNumberB] = [numberA.error === undefined, numberB.error === undefined];
  if (isNumberA && isNumberB) return compare(numberA.value, numberB.value);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return compare(a, b);
}
