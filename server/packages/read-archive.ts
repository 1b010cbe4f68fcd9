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

/** What may still be kept of an archive, and of archives in it. */
export interface ReadBudget {
  leftBytes: number;
}

/** The content of the wanted files of an archive, with the rules and limits of {@link readPackageArchive}. */
export async function readArchiveFiles(
  archive: Uint8Array,
  isWantedName: (name: string) => boolean,
  budget: ReadBudget = { leftBytes: limits.packageReadBytes },
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
    return await readEntries(tar, isWantedName, budget);
  } catch (error) {
    throw error instanceof TerminalError ? error : refused(messageOf(error));
  } finally {
    gunzip.destroy();
  }
}

async function readEntries(
  tar: ReturnType<typeof extract>,
  isWantedName: (name: string) => boolean,
  budget: ReadBudget,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let entries = 0;
  for await (const entry of tar) {
    entries++;
    if (entries > limits.packageFiles) throw refused(`it has more than ${limits.packageFiles} files`);
    // tar-stream never ends the content of a folder whose header gives a size.
    if (entry.header.type === 'directory') continue;
    const name = relativeName(entry.header.name);
    // Other entries are skipped: links, devices and files that do not belong to a package.
    const isWanted = entry.header.type === 'file' && isWantedName(name);
    if (isWanted && entry.header.size > limits.packageFileBytes) {
      throw refused(`${name} is larger than ${limits.packageFileBytes} bytes`);
    }
    if (isWanted) budget.leftBytes -= entry.header.size;
    if (budget.leftBytes < 0) throw refused(`its files have more than ${limits.packageReadBytes} bytes`);
    const content = await contentOf(entry, isWanted);
    if (isWanted) files.set(name, content);
  }
  return files;
}

/** Reads an entry to its end, which the next one waits for; empty when it is not kept. */
async function contentOf(entry: AsyncIterable<unknown>, isKept: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) if (isKept && chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refused(why: string): TerminalError {
  return new TerminalError(`The package archive cannot be read: ${why}.`, 'PackageInvalid');
}
