import { comparePrereleases, compareSemver, type SemverEdition } from '@/lib/semver/semver';
import type { SemverVersion } from '../value/semver-version';
import type { Constraint } from './comparison';

type Check = (version: SemverVersion, constraint: Constraint, edition: SemverEdition) => boolean;

/** True when a version meets one constraint (Masterminds/semver constraints.go). */
export function checkConstraint(constraint: Constraint, version: SemverVersion, edition: SemverEdition): boolean {
  const check = CHECKS.get(constraint.operator) ?? equal;
  return check(version, constraint, edition);
}

/** A prerelease meets only constraints with a prerelease. */
function isUnwantedPrerelease(version: SemverVersion, constraint: Constraint): boolean {
  return version.prerelease !== '' && constraint.version.prerelease === '';
}

const releasesOnly =
  (check: Check): Check =>
  (version, constraint, edition) =>
    !isUnwantedPrerelease(version, constraint) && check(version, constraint, edition);

const notEqual: Check = (version, constraint) => {
  const wanted = constraint.version;
  if (!constraint.dirty) return compareSemver(version, wanted) !== 0;
  if (isUnwantedPrerelease(version, constraint)) return false;
  if (wanted.major !== version.major) return true;
  if (constraint.minorDirty) return false;
  if (wanted.minor !== version.minor) return true;
  if (constraint.patchDirty) return comparePrereleases(version.prerelease, wanted.prerelease) !== 0;
  return wanted.patch !== version.patch || compareSemver(version, wanted) !== 0;
};

const greater: Check = releasesOnly((version, constraint, edition) => {
  const wanted = constraint.version;
  if (!constraint.dirty || edition === 'v1') return compareSemver(version, wanted) > 0;
  if (version.major !== wanted.major) return version.major > wanted.major;
  if (constraint.minorDirty) return false;
  if (constraint.patchDirty) return version.minor > wanted.minor;
  return compareSemver(version, wanted) > 0;
});

/** Within the range of a version whose last parts were left out. */
function isUpTo(version: SemverVersion, constraint: Constraint): boolean {
  const wanted = constraint.version;
  if (version.major > wanted.major) return false;
  return !(version.major === wanted.major && version.minor > wanted.minor && !constraint.minorDirty);
}

const less: Check = releasesOnly((version, constraint, edition) =>
  edition === 'v1' && constraint.dirty ? isUpTo(version, constraint) : compareSemver(version, constraint.version) < 0,
);

const greaterOrEqual: Check = releasesOnly((version, constraint) => compareSemver(version, constraint.version) >= 0);

const lessOrEqual: Check = releasesOnly((version, constraint) =>
  constraint.dirty ? isUpTo(version, constraint) : compareSemver(version, constraint.version) <= 0,
);

const tilde: Check = releasesOnly((version, constraint) => {
  const wanted = constraint.version;
  if (compareSemver(version, wanted) < 0) return false;
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (isZero && !constraint.minorDirty && !constraint.patchDirty) return true;
  return version.major === wanted.major && (version.minor === wanted.minor || constraint.minorDirty);
});

const equal: Check = releasesOnly((version, constraint, edition) =>
  constraint.dirty ? tilde(version, constraint, edition) : compareSemver(version, constraint.version) === 0,
);

const caret: Check = releasesOnly((version, constraint, edition) => {
  const wanted = constraint.version;
  if (compareSemver(version, wanted) < 0) return false;
  if (edition === 'v1') return version.major === wanted.major;
  if (wanted.major > 0n || constraint.minorDirty) return version.major === wanted.major;
  if (version.major > 0n) return false;
  if (wanted.minor > 0n || constraint.patchDirty) return version.minor === wanted.minor;
  return version.minor === 0n && version.patch === wanted.patch;
});

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['', equal],
  ['=', equal],
  ['!=', notEqual],
  ['>', greater],
  ['<', less],
  ['>=', greaterOrEqual],
  ['=>', greaterOrEqual],
  ['<=', lessOrEqual],
  ['=<', lessOrEqual],
  ['~', tilde],
  ['~>', tilde],
  ['^', caret],
]);
