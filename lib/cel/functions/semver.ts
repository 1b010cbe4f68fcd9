import { structType } from '../cel-type';
import { CelError, CelOpaque, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

const TYPE = structType('kubernetes.Semver');

/** A version of semver.org 2.0. */
export class CelSemver extends CelOpaque {
  readonly type = TYPE;

  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly before: readonly string[],
    readonly build: readonly string[],
  ) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compareVersions(this, other) === 0;
  }

  override toString(): string {
    const before = this.before.length === 0 ? '' : `-${this.before.join('.')}`;
    return `${this.numbers.join('.')}${before}${this.build.length === 0 ? '' : `+${this.build.join('.')}`}`;
  }
}

const isNumber = (text: string) => /^\d+$/.test(text);
const MOST = (1n << 64n) - 1n;

/** @throws CelError with the words of the library that Kubernetes uses (blang/semver v4) */
function parseVersion(text: string): CelSemver {
  if (text === '') throw new CelError('Version string empty');
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0) {
    throw new CelError('No Major.Minor.Patch elements found');
  }
  const third = rest.join('.');
  const plus = third.indexOf('+');
  const build = plus === -1 ? [] : third.slice(plus + 1).split('.');
  const beforeBuild = plus === -1 ? third : third.slice(0, plus);
  const dash = beforeBuild.indexOf('-');
  const before = dash === -1 ? [] : beforeBuild.slice(dash + 1).split('.');
  const patch = dash === -1 ? beforeBuild : beforeBuild.slice(0, dash);
  const numbers = [part(major, 'Major'), part(minor, 'Minor'), part(patch, 'Patch')] as const;
  for (const each of before) checkBefore(each);
  for (const each of build) {
    if (each === '') throw new CelError('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(each))
      throw new CelError(`Invalid character(s) found in build meta data ${quoted(each)}`);
  }
  return new CelSemver(numbers, before, build);
}

const quoted = (text: string) => JSON.stringify(text);

function part(text: string, name: string): bigint {
  if (!/^\d*$/.test(text))
    throw new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${quoted(text)}`);
  if (text.length > 1 && text.startsWith('0')) {
    throw new CelError(`${name} number must not contain leading zeroes ${quoted(text)}`);
  }
  if (text === '') throw new CelError(`strconv.ParseUint: parsing "": invalid syntax`);
  const value = BigInt(text);
  if (value > MOST) throw new CelError(`strconv.ParseUint: parsing ${quoted(text)}: value out of range`);
  return value;
}

function checkBefore(text: string): void {
  if (text === '') throw new CelError('Prerelease is empty');
  if (isNumber(text)) {
    if (text.length > 1 && text.startsWith('0')) {
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${quoted(text)}`);
    }
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

function compareVersions(a: CelSemver, b: CelSemver): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.before.length === 0 || b.before.length === 0) return Math.sign(b.before.length - a.before.length);
  for (const [index, each] of a.before.entries()) {
    const other = b.before[index];
    if (other === undefined) return 1;
    const order = compareParts(each, other);
    if (order !== 0) return order;
  }
  return a.before.length < b.before.length ? -1 : 0;
}

function compareParts(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function read([text, isLenient = false]: readonly CelValue[]): CelSemver | undefined {
  if (typeof text !== 'string' || typeof isLenient !== 'boolean') return undefined;
  return parseVersion(isLenient ? normalized(text) : text);
}

const compared =
  (decide: (order: number) => CelValue): CelFunction =>
  ([a, b]) =>
    a instanceof CelSemver && b instanceof CelSemver ? decide(compareVersions(a, b)) : undefined;

const numberAt =
  (index: 0 | 1 | 2): CelFunction =>
  ([version]) =>
    version instanceof CelSemver ? version.numbers[index] : undefined;

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
  ['major', numberAt(0)],
  ['minor', numberAt(1)],
  ['patch', numberAt(2)],
];
