import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

const UID = /^[0-9a-f-]{36}$/;

/** Keeps the content of claims as `volumes/<uid>.tar` in the data folder. Uids of another shape are kept nowhere. */
export function openVolumeFolder(dataDir: string): VolumeStore {
  const folder = join(dataDir, 'volumes');
  const pathOf = (uid: string): string => join(folder, `${uid}.tar`);
  return {
    load(uid) {
      try {
        return UID.test(uid) ? readFileSync(pathOf(uid)) : undefined;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    save(uid, archive) {
      if (!UID.test(uid)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${pathOf(uid)}.part`, archive, { mode: 0o600 });
      renameSync(`${pathOf(uid)}.part`, pathOf(uid));
    },
    drop(uid) {
      if (UID.test(uid)) rmSync(pathOf(uid), { force: true });
    },
  };
}
