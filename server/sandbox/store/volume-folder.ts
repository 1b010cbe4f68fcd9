import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VolumeStore } from './volume-store';

const UID = /^[0-9a-f-]{36}$/;

/** Keeps the content of claims as `volumes/<uid>.tar` in the data folder. Uids of another shape are kept nowhere. */
export function openVolumeFolder(dataDir: string): VolumeStore {
  const folder = join(dataDir, 'volumes');
  const pathOf = (uid: string): string | undefined => (UID.test(uid) ? join(folder, `${uid}.tar`) : undefined);
  return {
    load(uid) {
      const path = pathOf(uid);
      return path === undefined ? undefined : readIfThere(path);
    },
    save(uid, archive) {
      const path = pathOf(uid);
      if (path === undefined) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.part`, archive, { mode: 0o600 });
      renameSync(`${path}.part`, path);
    },
    drop(uid) {
      const path = pathOf(uid);
      if (path !== undefined) rmSync(path, { force: true });
    },
  };
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
