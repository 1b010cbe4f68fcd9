import type { Versioned } from '@/lib/kudo/versions';
import type { LoadedPackage } from './loaded-package';

/** A package as a person or a KudoOperator task names it, with optional versions. */
export interface PackageReference {
  readonly name: string;
  readonly appVersion?: string | undefined;
  readonly operatorVersion?: string | undefined;
}

/** Packages by name: the catalogue, or a repository. */
export interface PackageSource {
  /** @throws TerminalError when no package has that name and versions */
  find(reference: PackageReference): Promise<LoadedPackage>;
  /** The versions of a name; none when it has none. Absent where nothing can be listed. */
  versions?(name: string): Promise<readonly Versioned[]>;
}
