import type { IndexEntry, RepositoryIndex } from '@/lib/kudo/repository/index-file';
import type { Release } from '@/lib/kudo/upgrades/find-path';
import type { Versioned } from '@/lib/kudo/versions';
import type { Companions } from './companions';
import type { LoadedPackage } from './loaded-package';
import type { SignatureEvidence } from './signing/check-signatures';

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

/** The bytes of a package, which have the digest that names them. */
export interface FetchedArchive {
  readonly archive: Uint8Array;
  /** Where they came from, for messages: without credentials. */
  readonly place: string;
  /** Asks for its signatures. */
  evidence(): Promise<SignatureEvidence>;
}

/** A repository: packages that can be listed. */
export interface PackageRepository extends ReleaseSource {
  /** Every version. It is read once. @throws TerminalError when it cannot be read or is not valid */
  index(): Promise<RepositoryIndex>;
  /** The archive of an entry of the index. Its signatures are not checked. @throws TerminalError `DigestMismatch` among others */
  fetch(entry: IndexEntry): Promise<FetchedArchive>;
  /** What the repository has beside the archive of an entry. */
  companions(entry: IndexEntry): Promise<Companions>;
}

/** Packages with what is said about their upgrades. */
export interface ReleaseSource extends PackageSource {
  /** Every version of an operator, in no order; empty for one that is not known. */
  releases(operator: string): Promise<readonly Release[]>;
}
