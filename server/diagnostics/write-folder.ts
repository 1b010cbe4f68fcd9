import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WriteFile } from './bundle';

/** Writes files below a folder that only its owner may read. */
export function writeToFolder(folder: string): WriteFile {
  return async (path, content) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content, { mode: 0o600 });
  };
}
