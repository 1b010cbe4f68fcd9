/**
 * Where the content of claims outlives the sandbox's process: one archive (ustar) a claim, by the claim's uid. Without
 * one, volumes live as long as the process.
 */
export interface VolumeStore {
  load(claimUid: string): Uint8Array | undefined;
  /** Replaces what was kept; it is whole or the old one after a crash. */
  save(claimUid: string, archive: Uint8Array): void;
  drop(claimUid: string): void;
}
