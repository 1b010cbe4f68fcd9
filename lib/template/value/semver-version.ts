import type { Semver } from '@/lib/semver/semver';
import { type GoType, SEMVER, SEMVER_POINTER, UINT64 } from './types';
import { GoInt, GoObject, type Value } from './value';

/** Which Go value a version is. */
interface SemverForm {
  /** `*semver.Version` (the result of `semver`), not a plain one. */
  readonly isPointer: boolean;
  /** Created by KUDO 0.19's library, where a plain version prints as a struct. */
  readonly isOld: boolean;
}

/** Masterminds' semver.Version. */
export class SemverVersion extends GoObject implements Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  readonly isPointer: boolean;
  readonly isOld: boolean;

  /** `original` is the text that was read. */
  constructor(
    { major, minor, patch, prerelease, metadata }: Semver,
    readonly original: string,
    { isPointer, isOld }: SemverForm,
  ) {
    super();
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.prerelease = prerelease;
    this.metadata = metadata;
    this.isPointer = isPointer;
    this.isOld = isOld;
  }

  get type(): GoType {
    return this.isPointer ? SEMVER_POINTER : SEMVER;
  }

  /** MAJOR.MINOR.PATCH[-PRERELEASE][+METADATA]. */
  canonical(): string {
    return canonicalSemver(this);
  }

  override text(): string | undefined {
    return this.isOld && !this.isPointer ? undefined : this.canonical();
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [
      ['major', new GoInt(UINT64, this.major)],
      ['minor', new GoInt(UINT64, this.minor)],
      ['patch', new GoInt(UINT64, this.patch)],
      ['pre', this.prerelease],
      ['metadata', this.metadata],
      ['original', this.original],
    ];
  }
}

/** MAJOR.MINOR.PATCH[-PRERELEASE][+METADATA]. */
export function canonicalSemver({ major, minor, patch, prerelease, metadata }: Semver): string {
  const end = (prerelease === '' ? '' : `-${prerelease}`) + (metadata === '' ? '' : `+${metadata}`);
  return `${major}.${minor}.${patch}${end}`;
}
