/** A repository of the console, as pages show it. Nothing of its credentials is in it. */
export interface RepositoryInfo {
  readonly name: string;
  readonly url: string;
  readonly kind: 'http' | 'oci';
  /** Public keys in PEM, one of which must have signed a package; undefined when signatures are not required. */
  readonly signatureKeys?: readonly string[];
  /** The packages of a registry that does not list them; empty otherwise. */
  readonly operators: readonly string[];
  readonly isPlainHttp: boolean;
  readonly hasCredentials: boolean;
}

/** The answer of `GET /api/repositories`. */
export interface RepositoryListing {
  /** Where they are stored, in the home cluster. */
  readonly namespace: string;
  readonly repositories: readonly RepositoryInfo[];
}

/** A version of a package in a repository. */
export interface RepositoryVersion {
  readonly name: string;
  readonly operatorVersion: string;
  /** Empty when the package has none. */
  readonly appVersion: string;
  readonly description: string;
}

/** What a repository has: the answer of `GET /api/repositories/NAME/index`. */
export interface RepositoryContent {
  /** RFC 3339: when it was asked. */
  readonly refreshedAt: string;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** By name, best version first. Withdrawn ones are left out. */
  readonly versions: readonly RepositoryVersion[];
}

/** What the form of a repository sends. */
export interface RepositoryDraft {
  readonly name: string;
  readonly url: string;
  /** Public keys in PEM, one after the other; empty: signatures are not required. */
  readonly signatureKeys: string;
  /** With spaces or commas between them. */
  readonly operators: string;
  readonly isPlainHttp: boolean;
  readonly username: string;
  readonly password: string;
  /** In an edit: the stored credentials stay. */
  readonly keepsCredentials: boolean;
}

/** One thing that was tried. */
export interface RepositoryCheck {
  readonly name: 'address' | 'packages' | 'signature';
  readonly ok: boolean;
  readonly message: string;
}

/** The answer of `POST /api/repositories/test`. */
export interface RepositoryTrial {
  readonly checks: readonly RepositoryCheck[];
}

/** What is known of where a version comes from, and what it consists of. */
export interface VersionEvidence {
  readonly signature: {
    /** `verified`: by a key of the repository. `present`: it has signatures, and the repository has no keys to check them. */
    readonly state: 'verified' | 'refused' | 'present' | 'none';
    readonly message: string;
  };
  /** SHA-256 of the archive in hex. */
  readonly sha256: string;
  /** The documents, as the publisher wrote them; undefined when there is none. They are not signed. */
  readonly provenance: string | undefined;
  readonly sbom: string | undefined;
}
