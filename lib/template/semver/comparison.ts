import type { SemverVersion } from '../value/semver-version';

/** One comparison such as `>=1.2.x`. `dirty` parts were left out or are `x`. */
export interface Constraint {
  readonly operator: string;
  readonly version: SemverVersion;
  readonly dirty: boolean;
  readonly minorDirty: boolean;
  readonly patchDirty: boolean;
}
