import { compareSemver, MOST_UINT64, type Semver } from '@/lib/semver/semver';
import { structType } from '../cel-type';
import { CelError, CelOpaque, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

const TYPE = structType('kubernetes.Semver');

/** A version of semver.org 2.0. */
export class CelSemver extends CelOpaque {
  readonly type = TYPE;

  constructor(readonly version: Semver) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compareSemver(this.version, other.version) === 0;
  }

  override toString(): string {
    const { major, minor, patch, prerelease, metadata } = this.version;
    const before = prerelease === '' ? '' : `-${prerelease}`;
    return `${major}.${minor}.${patch}${before}${metadata === '' ? '' : `+${metadata}`}`;
  }
}

const isNumber = (text: string) => /^\d+$/.test(text);

/** @throws CelError with the message of the library that Kubernetes uses (blang/semver v4) */
function parseStrict(text: string): CelSemver {
  if (text === '') throw new CelError('Version string empty');
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0) {
    throw new CelError('No Major.Minor.Patch elements found');
  }
  const third = rest.join('.');
  const plus = third.indexOf('+');
  const metadata = plus === -1 ? undefined : third.slice(plus + 1);
  const beforeBuild = plus === -1 ? third : third.slice(0, plus);
  const dash = beforeBuild.indexOf('-');
  const prerelease = dash === -1 ? undefined : beforeBuild.slice(dash + 1);
  const numbers = {
    major: part(major, 'Major'),
    minor: part(minor, 'Minor'),
    patch: part(dash === -1 ? beforeBuild : beforeBuild.slice(0, dash), 'Patch'),
  };
  for (const each of prerelease?.split('.') ?? []) checkPrerelease(each);
  for (const each of metadata?.split('.') ?? []) {
    if (each === '') throw new CelError('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(each))
      throw new CelError(`Invalid character(s) found in build meta data ${quoted(each)}`);
  }
  return new CelSemver({ ...numbers, prerelease: prerelease ?? '', metadata: metadata ?? '' });
}

const quoted = (text: string) => JSON.stringify(text);

function part(text: string, name: string): bigint {
  if (!/^\d*$/.test(text))
    throw new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${quoted(text)}`);
  if (text.length > 1 && text.startsWith('0')) {
    throw new CelError(`${name} number must not contain leading zeroes ${quoted(text)}`);
  }
  if (text === '') throw new CelError(`strconv.ParseUint: parsing "": invalid syntax`);
  return uint64(text);
}

function uint64(text: string): bigint {
  const value = BigInt(text);
  if (value > MOST_UINT64) throw new CelError(`strconv.ParseUint: parsing ${quoted(text)}: value out of range`);
  return value;
}

function checkPrerelease(text: string): void {
  if (text === '') throw new CelError('Prerelease is empty');
  if (isNumber(text)) {
    if (text.length > 1 && text.startsWith('0')) {
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${quoted(text)}`);
    }
    uint64(text);
  } else if (!/^[0-9A-Za-z-]+$/.test(text)) {
    throw new CelError(`Invalid character(s) found in prerelease ${quoted(text)}`);
  }
}

/** `v1.2` as `1.2.0`: no `v`, no leading zeros, three numbers. */
function normalized(given: string): string {
  const text = given.replace(/^v/, '');
  const parts = splitThree(text).map((each) => (each.length > 1 ? trimZeros(each) : each));
  const last = parts.at(-1) ?? '';
  if (parts.length < 3) {
    if (/[+-]/.test(last)) throw new CelError('Short version cannot contain PreRelease/Build meta data');
    while (parts.length < 3) parts.push('0');
  }
  return parts.join('.');
}

const splitThree = (text: string): string[] => {
  const [a = '', b, ...rest] = text.split('.');
  return b === undefined ? [a] : rest.length === 0 ? [a, b] : [a, b, rest.join('.')];
};

function trimZeros(text: string): string {
  const trimmed = text.replace(/^0+/, '');
  return trimmed === '' || !/^\d/.test(trimmed) ? `0${trimmed}` : trimmed;
}

function read([text, isLenient = false]: readonly CelValue[]): CelSemver | undefined {
  if (typeof text !== 'string' || typeof isLenient !== 'boolean') return undefined;
  return parseStrict(isLenient ? normalized(text) : text);
}

const compared =
  (decide: (order: number) => CelValue): CelFunction =>
  ([a, b]) =>
    a instanceof CelSemver && b instanceof CelSemver ? decide(compareSemver(a.version, b.version)) : undefined;

const segment =
  (name: 'major' | 'minor' | 'patch'): CelFunction =>
  ([semver]) =>
    semver instanceof CelSemver ? semver.version[name] : undefined;

function isVersion(args: readonly CelValue[]): CelValue | undefined {
  try {
    return read(args) === undefined ? undefined : true;
  } catch {
    return false;
  }
}

/** Versions (apiserver cel/library Semver). */
export const SEMVER_FUNCTIONS: FunctionTable = [
  ['semver', read],
  ['isSemver', isVersion],
  ['isGreaterThan', compared((order) => order === 1)],
  ['isLessThan', compared((order) => order === -1)],
  ['compareTo', compared(BigInt)],
  ['major', segment('major')],
  ['minor', segment('minor')],
  ['patch', segment('patch')],
];
