import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { limits } from '@/lib/limits/limits';
import { tarFiles } from '@/server/packages/tar-files';

/**
 * Unpacks a tar archive, gzipped or not, of a test directory below a folder.
 *
 * @returns the folder of the tests, which is named like the file of the URL without its last extension (KUTTL harness.go)
 * @throws TerminalError for what is not such an archive
 */
export async function unpackTests(url: string, archive: Uint8Array, folder: string): Promise<string> {
  const most = { bytes: limits.packageUnpackedBytes, files: limits.packageFiles };
  for (const [name, { content, mode }] of await tarFiles(url, archive, most)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    // Scripts of a case stay executable.
    if ((mode & 0o100) !== 0) await chmod(path, 0o700);
  }
  const file = basename(new URL(url).pathname);
  return join(folder, file.slice(0, file.length - extname(file).length));
}
