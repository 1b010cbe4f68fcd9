import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { relativeName } from '@/lib/tar/relative-name';

/** A file of an archive. */
export interface ArchivedFile {
  readonly content: Buffer;
  readonly mode: number;
}

/** What an archive may be at most, unpacked. */
export interface TarLimits {
  readonly bytes: number;
  readonly files: number;
}

/**
 * The regular files of a tar archive, gzipped or not, by names that stay below its root. Nothing else in it counts.
 *
 * @param what names the archive in errors
 * @throws TerminalError for what is no archive, and above a limit
 */
export async function tarFiles(what: string, archive: Uint8Array, most: TarLimits): Promise<Map<string, ArchivedFile>> {
  const refused = (why: string) => new TerminalError(`The archive ${what} cannot be used: ${why}.`, 'InvalidArchive');
  const tar = extract();
  const source = Readable.from([archive]);
  const gunzip = archive[0] === 0x1f && archive[1] === 0x8b ? source.pipe(createGunzip()) : source;
  gunzip.on('error', (error) => tar.destroy(error));
  gunzip.pipe(tar);
  const files = new Map<string, ArchivedFile>();
  let left = most.bytes;
  try {
    for await (const entry of tar) {
      // tar-stream never ends the content of a folder whose header gives a size.
      if (entry.header.type === 'directory') continue;
      const content = await contentOf(entry, left);
      if (content === undefined) throw refused(`it unpacks to more than ${most.bytes} bytes`);
      left -= content.length;
      if (entry.header.type !== 'file') continue;
      files.set(relativeName(entry.header.name), { content, mode: entry.header.mode ?? 0 });
      if (files.size > most.files) throw refused(`it has more than ${most.files} files`);
    }
  } catch (error) {
    throw error instanceof TerminalError ? error : refused(messageOf(error));
  } finally {
    gunzip.destroy();
  }
  return files;
}

/** Undefined for an entry with more bytes. */
async function contentOf(entry: AsyncIterable<unknown>, mostBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
