import type { Release } from '@/lib/kudo/upgrades/find-path';
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
}

/** Packages with what is said about their upgrades. */
export interface ReleaseSource extends PackageSource {
  /** Every version of an operator, in no order; empty for one that is not known. */
  releases(operator: string): Promise<readonly Release[]>;
}
