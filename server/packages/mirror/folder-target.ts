import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, formatTime } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { packageFileName } from '@/lib/kudo/names';
import { addToIndex, formatIndex, mergeIndexes } from '@/lib/kudo/repository/build-index';
import { type IndexEntry, parseIndex } from '@/lib/kudo/repository/index-file';
import { limits } from '@/lib/limits/limits';
import { filesOfCompanions, isRepositoryFile } from '../companions';
import { sha256Hex } from '../oci/digest';
import type { MirrorTarget } from './mirror';

/**
 * A folder with archives and an `index.yaml`, which any web server can serve.
 *
 * @param base of the URLs in the index; empty: relative ones, which KUDO's program does not understand
 */
export function folderTarget(folder: string, base: string, clock: Pick<Clock, 'now'>): MirrorTarget {
  const pathOf = (entry: IndexEntry): string => join(folder, fileNameOf(entry));
  return {
    has: async (entry) => {
      const bytes = await readSmall(pathOf(entry), limits.packageArchiveBytes);
      return bytes !== undefined && sha256Hex(bytes) === entry.digest;
    },
    store: async (entry, archive) => {
      await mkdir(folder, { recursive: true });
      await replaceFile(pathOf(entry), archive);
    },
    storeCompanions: async (entry, companions) => {
      for (const [suffix, text] of filesOfCompanions(companions)) {
        const path = `${pathOf(entry)}${suffix}`;
        const known = await readSmall(path, limits.attachments.bytes);
        if (known?.toString() !== text) await replaceFile(path, text);
      }
    },
    finish: async (entries) => {
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'index.yaml');
      const known = await readSmall(path, limits.repositoryIndexBytes);
      const others = known === undefined ? { entries: new Map() } : parseIndex(known.toString());
      const own = addToIndex(
        { entries: new Map() },
        entries.map((entry) => withUrl(entry, base)),
      );
      const index = mergeIndexes(own.index, others);
      await replaceFile(path, formatIndex(index, formatTime(clock.now())));
    },
  };
}

/** The source chooses names and versions: none of them may lead out of the folder. */
function fileNameOf({ name, operatorVersion, appVersion }: IndexEntry): string {
  const fileName = packageFileName(name, operatorVersion, appVersion);
  if (isRepositoryFile(fileName)) return fileName;
  throw new TerminalError(
    `The package ${name} ${appVersion} ${operatorVersion} has no valid file name.`,
    'IndexInvalid',
  );
}

function withUrl(entry: IndexEntry, base: string): IndexEntry {
  const name = fileNameOf(entry);
  return { ...entry, urls: [base === '' ? name : `${base.replace(/\/$/, '')}/${name}`] };
}

/** Under another name first, so that an interrupted copy leaves no half of a file. */
async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}

async function readSmall(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && found.size <= maxBytes ? readFile(path) : undefined;
}
