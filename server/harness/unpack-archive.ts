import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { relativeName } from '@/lib/tar/relative-name';

/**
 * Unpacks a tar archive, gzipped or not, of a test directory: regular files only, names stay below the folder, counts and sizes are
 * limited.
 *
 * @returns the folder of the tests, which is named like the file of the URL without its last extension (KUTTL harness.go)
 * @throws TerminalError for what is not such an archive
 */
export async function unpackTests(url: string, archive: Uint8Array, folder: string): Promise<string> {
  const refused = (why: string) => new TerminalError(`The archive ${url} cannot be used: ${why}.`, 'InvalidArchive');
  const tar = extract();
  const source = Readable.from([archive]);
  const isGzip = archive[0] === 0x1f && archive[1] === 0x8b;
  const bytes = isGzip ? source.pipe(createGunzip()) : source;
  bytes.on('error', (error) => tar.destroy(error));
  bytes.pipe(tar);
  let [files, unpacked] = [0, 0];
  try {
    for await (const entry of tar) {
      const content = await contentOf(entry);
      unpacked += content.length;
      if (unpacked > limits.packageUnpackedBytes)
        throw refused(`it unpacks to more than ${limits.packageUnpackedBytes} bytes`);
      if (entry.header.type !== 'file') continue;
      files += 1;
      if (files > limits.packageFiles) throw refused(`it has more than ${limits.packageFiles} files`);
      await writeEntry(join(folder, relativeName(entry.header.name)), content, entry.header.mode ?? 0);
    }
  } catch (error) {
    throw error instanceof TerminalError ? error : refused(messageOf(error));
  }
  const file = basename(new URL(url).pathname);
  return join(folder, file.slice(0, file.length - extname(file).length));
}

/** @throws Error for an entry that is larger than all may be together */
async function contentOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > limits.packageUnpackedBytes)
      throw new Error(`a file is larger than ${limits.packageUnpackedBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Scripts of a case stay executable. */
async function writeEntry(path: string, content: Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  if ((mode & 0o100) !== 0) await chmod(path, 0o700);
}
