import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { readFolderBytes } from './read-folder';

const compress = promisify(gzip);

/**
 * Packs a package's folder: every regular file, names relative to the folder, order of a walk, times and
 * owners fixed, so that the same content and modes give the same bytes.
 *
 * @param replaced texts in place of files of the folder, or beside them
 */
export async function writePackageArchive(
  folder: string,
  replaced: ReadonlyMap<string, string> = new Map(),
): Promise<Uint8Array> {
  const tar = pack();
  const chunks: Uint8Array[] = [];
  const collected = (async () => {
    for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  })();
  const files = new Map(await readFolderBytes(folder, () => true));
  for (const [name, text] of replaced) files.set(name, Buffer.from(text));
  for (const [name, content] of files) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    const mode = (found?.mode ?? 0o644) & 0o777;
    tar.entry({ name, mode, mtime: EPOCH, uid: 0, gid: 0, uname: 'root', gname: 'root' }, Buffer.from(content));
  }
  tar.finalize();
  await collected;
  return compress(Buffer.concat(chunks));
}

// biome-ignore lint/style/noRestrictedGlobals: a fixed moment, not the time
const EPOCH = new Date(0);
