import { type GoType, SEMVER, SEMVER_POINTER, UINT64 } from './types';
import { GoInt, GoObject, type Value } from './value';

/** Masterminds' semver.Version; `isPointer` distinguishes `*semver.Version` (the result of `semver`) from a plain one. */
export class SemverVersion extends GoObject {
  constructor(
    readonly major: bigint,
    readonly minor: bigint,
    readonly patch: bigint,
    readonly prerelease: string,
    readonly metadata: string,
    readonly original: string,
    readonly isPointer = true,
    /** Created by KUDO 0.19's library, where a plain version prints as a struct. */
    readonly isOld = false,
  ) {
    super();
  }

  get type(): GoType {
    return this.isPointer ? SEMVER_POINTER : SEMVER;
  }

  /** MAJOR.MINOR.PATCH[-PRERELEASE][+METADATA]. */
  canonical(): string {
    const end =
      (this.prerelease === '' ? '' : `-${this.prerelease}`) + (this.metadata === '' ? '' : `+${this.metadata}`);
    return `${this.major}.${this.minor}.${this.patch}${end}`;
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
