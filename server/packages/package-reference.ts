import type { LoadedPackage } from './loaded-package';

/** What is wanted: a reference as a person or a KudoOperator task writes it, and maybe versions. */
export interface PackageReference {
  readonly name: string;
  readonly appVersion?: string | undefined;
  readonly operatorVersion?: string | undefined;
}

/** Packages by name: the catalogue, or a repository. */
export interface PackageSource {
  /** @throws TerminalError when there is none of that name and versions */
  find(reference: PackageReference): Promise<LoadedPackage>;
}
