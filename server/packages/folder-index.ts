import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { indexEntry } from '@/lib/kudo/repository/build-index';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { loadArchive } from './loaded-package';
import { sha256Hex } from './oci/digest';

/** The archives of a folder, by name. */
export async function archiveNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.tgz') && !name.startsWith('.')).sort();
}

/** An entry for each archive of a folder, in the order of their names; the paths of those that are no packages. `base` is that of the URLs. */
export async function folderEntries(
  folder: string,
  base: string,
): Promise<{ readonly entries: readonly IndexEntry[]; readonly invalid: readonly string[] }> {
  const entries: IndexEntry[] = [];
  const invalid: string[] = [];
  for (const name of await archiveNames(folder)) {
    const path = join(folder, name);
    try {
      const bytes = await readFile(path);
      const { operator } = (await loadArchive(bytes, path)).package;
      entries.push(indexEntry(operator, base, sha256Hex(bytes)));
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      invalid.push(path);
    }
  }
  return { entries, invalid };
}
