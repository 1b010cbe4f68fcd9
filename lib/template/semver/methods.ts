import { compareSemver, type Semver } from '@/lib/semver/semver';
import { quote } from '../format/quote';
import type { ArgumentKind, CallContext, GoFunction, GoFunctionTable } from '../functions/define';
import { GoError } from '../template-error';
import { canonicalSemver, SemverVersion } from '../value/semver-version';
import { BYTE_SLICE, INT64, UINT8, UINT64 } from '../value/types';
import { GoInt, GoSlice, int, type Value } from '../value/value';
import { readSemver } from './version';

const NIL_PANIC = 'runtime error: invalid memory address or nil pointer dereference';

function method(
  run: (version: SemverVersion, context: CallContext, value: unknown) => Value,
  parameters: readonly ArgumentKind[] = [],
): GoFunction {
  return {
    parameters,
    rest: undefined,
    run: (context, receiver, value) => (receiver instanceof SemverVersion ? run(receiver, context, value) : null),
  };
}

/** Segments were int64 in the older release. */
function segment(read: (version: SemverVersion) => bigint): GoFunction {
  return method((version, context) => new GoInt(context.compatibility === 'kudo019' ? INT64 : UINT64, read(version)));
}

function compare(run: (order: number) => Value): GoFunction {
  return method(
    (version, _, other) => {
      if (!(other instanceof SemverVersion)) throw new GoError(NIL_PANIC);
      return run(compareSemver(version, other));
    },
    ['semver'],
  );
}

function increment(next: (version: SemverVersion) => Pick<Semver, 'major' | 'minor' | 'patch'>): GoFunction {
  return method((version) => plain({ ...next(version), prerelease: '', metadata: '' }, version));
}

/** A Version that is not a pointer; its original keeps the `v` of the one it is made from. */
function plain(parts: Semver, from: SemverVersion): SemverVersion {
  const original = (from.original.startsWith('v') ? 'v' : '') + canonicalSemver(parts);
  return new SemverVersion(parts, original, { isPointer: false, isOld: from.isOld });
}

function bytes(text: string): GoSlice {
  return new GoSlice(
    BYTE_SLICE,
    Array.from(text, (character) => new GoInt(UINT8, BigInt(character.charCodeAt(0)))),
  );
}

/** Methods that a plain Version has too. */
const valueMethods: GoFunctionTable = {
  String: method((version) => version.canonical()),
  Major: segment((version) => version.major),
  Minor: segment((version) => version.minor),
  Patch: segment((version) => version.patch),
  Prerelease: method((version) => version.prerelease),
  Metadata: method((version) => version.metadata),
  IncMajor: increment(({ major }) => ({ major: major + 1n, minor: 0n, patch: 0n })),
  IncMinor: increment(({ major, minor }) => ({ major, minor: minor + 1n, patch: 0n })),
  IncPatch: increment(({ major, minor, patch, prerelease }) => ({
    major,
    minor,
    patch: prerelease === '' ? patch + 1n : patch,
  })),
  SetPrerelease: method(
    (version, _, text) => {
      const prerelease = String(text);
      if (prerelease !== '') readSemver(`0.0.0-${prerelease}`, 'v3');
      const { major, minor, patch, metadata } = version;
      return plain({ major, minor, patch, prerelease, metadata }, version);
    },
    ['string'],
  ),
  SetMetadata: method(
    (version, _, text) => {
      const metadata = String(text);
      if (metadata !== '') readSemver(`0.0.0+${metadata}`, 'v3');
      const { major, minor, patch, prerelease } = version;
      return plain({ major, minor, patch, prerelease, metadata }, version);
    },
    ['string'],
  ),
  MarshalJSON: method((version) => bytes(quote(version.canonical()))),
  MarshalText: method((version) => bytes(version.canonical())),
  Value: method((version) => version.canonical()),
};

const pointerMethods: GoFunctionTable = {
  ...valueMethods,
  Original: method((version) => version.original),
  Compare: compare((order) => int(order)),
  Equal: compare((order) => order === 0),
  GreaterThan: compare((order) => order > 0),
  GreaterThanEqual: compare((order) => order >= 0),
  LessThan: compare((order) => order < 0),
  LessThanEqual: compare((order) => order <= 0),
};

const OLD_VALUE_METHODS = ['IncMajor', 'IncMinor', 'IncPatch', 'SetPrerelease', 'SetMetadata'];
const oldValueMethods: GoFunctionTable = Object.fromEntries(
  Object.entries(valueMethods).filter(([name]) => OLD_VALUE_METHODS.includes(name)),
);

/** The methods of a version; in the older release a plain one had few. */
export function semverMethods(version: SemverVersion): GoFunctionTable {
  if (version.isPointer) return pointerMethods;
  return version.isOld ? oldValueMethods : valueMethods;
}
