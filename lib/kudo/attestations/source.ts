/** What is known of the folder that a package was packed from. */
export interface PackageOrigin {
  /** SHA-256 over the lines of `sha256sum` of its files (in-toto `dirHash`), in hex. */
  readonly dirHash: string;
  readonly git?: {
    /** 40 or 64 hex digits. */
    readonly commit: string;
    /** RFC 3339. */
    readonly time: string;
    /** Of the remote `origin`, without credentials; absent without one. */
    readonly remote?: string;
    /** The folder had changes that are not in the commit. */
    readonly isDirty: boolean;
  };
}

/** What a statement is about: an archive. */
export interface PackedArchive {
  readonly fileName: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
}
