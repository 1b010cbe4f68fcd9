import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';
import { relativeName } from '@/lib/tar/relative-name';

/**
 * Reads a packed package (`.tgz`) in memory: regular files only, names made relative to the archive's root (`./x`, `/x` and
 * `a/../x` are `x`; a name cannot leave the root), the later of two equal names wins (KUDO packages/reader/read_tar.go).
 * The archive's size, the unpacked size, each file and their number are limited while it is read.
 *
 * @throws TerminalError when it is not gzip, not tar, or exceeds a limit
 */
export async function readPackageArchive(archive: Uint8Array): Promise<PackageFiles> {
  const decoder = new TextDecoder();
  const isPart = (name: string) => name.endsWith('.yaml') || basename(name) === 'README.md';
  const files = await readArchiveFiles(archive, isPart);
  return new Map([...files].map(([name, content]) => [name, decoder.decode(content)]));
}

/** The content of the wanted files of an archive, with the rules and limits of {@link readPackageArchive}. */
export async function readArchiveFiles(
  archive: Uint8Array,
  isWantedName: (name: string) => boolean,
): Promise<Map<string, Uint8Array>> {
  if (archive.length > limits.packageArchiveBytes) {
    throw refused(`the archive is larger than ${limits.packageArchiveBytes} bytes`);
  }
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) throw refused('gzip: invalid header');
  const gunzip = createGunzip();
  const tar = extract();
  let unpacked = 0;
  gunzip.on('error', (error) => tar.destroy(error));
  gunzip.on('data', (chunk: Uint8Array) => {
    unpacked += chunk.length;
    if (unpacked <= limits.packageUnpackedBytes) return;
    tar.destroy(refused(`the archive unpacks to more than ${limits.packageUnpackedBytes} bytes`));
    gunzip.destroy();
  });
  gunzip.pipe(tar);
  gunzip.end(archive);
  try {
    return await readEntries(tar, isWantedName);
  } catch (error) {
    throw error instanceof TerminalError ? error : refused(messageOf(error));
  } finally {
    gunzip.destroy();
  }
}

async function readEntries(
  tar: ReturnType<typeof extract>,
  isWantedName: (name: string) => boolean,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let entries = 0;
  for await (const entry of tar) {
    entries++;
    if (entries > limits.packageFiles) throw refused(`it has more than ${limits.packageFiles} files`);
    const name = relativeName(entry.header.name);
    // Other entries are skipped: links, devices and files that do not belong to a package.
    const isWanted = entry.header.type === 'file' && isWantedName(name);
    if (isWanted && entry.header.size > limits.packageFileBytes) {
      throw refused(`${name} is larger than ${limits.packageFileBytes} bytes`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) if (isWanted && chunk instanceof Uint8Array) chunks.push(chunk);
    if (isWanted) files.set(name, Buffer.concat(chunks));
  }
  return files;
}

function refused(why: string): TerminalError {
  return new TerminalError(`The package archive cannot be read: ${why}.`, 'PackageInvalid');
}
