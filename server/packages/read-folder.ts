import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';

/**
 * Reads the YAML files of a package's folder (the one reader of package folders). Other files do not belong to a
 * package. Links are followed to regular files inside the folder only; counts and sizes are limited.
 *
 * @throws TerminalError when the folder cannot be read or exceeds a limit
 */
export async function readPackageFolder(path: string): Promise<PackageFiles> {
  const bytes = await readFolderBytes(path, (name) => name.endsWith('.yaml'));
  const decoder = new TextDecoder();
  return new Map([...bytes].map(([name, content]) => [name, decoder.decode(content)]));
}

/** The content of the wanted files of a folder, in the order of a walk; paths are relative, with `/`. */
export async function readFolderBytes(
  path: string,
  isWanted: (relativePath: string) => boolean,
): Promise<Map<string, Uint8Array>> {
  const folder = resolve(path);
  const root = await rootOf(folder);
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for await (const relative of walk(root, '')) {
    if (!isWanted(relative)) continue;
    const content = await readInside(root, relative);
    if (content === undefined) continue;
    total += content.length;
    if (files.size >= limits.packageFiles) throw tooLarge(folder, `more than ${limits.packageFiles} files`);
    if (total > limits.packageUnpackedBytes) throw tooLarge(folder, `more than ${limits.packageUnpackedBytes} bytes`);
    files.set(relative, content);
  }
  return files;
}

async function rootOf(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw new TerminalError(`stat ${folder}: no such file or directory`, 'PackageNotFound');
  if (!found.isDirectory()) throw new TerminalError(`${folder} is not a package directory`, 'PackageInvalid');
  return realpath(folder);
}

const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

async function* walk(root: string, below: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const relative = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name) && relative.split('/').length <= MAX_DEPTH) yield* walk(root, relative);
    } else if (entry.isFile() || entry.isSymbolicLink()) yield relative;
  }
}

/** Folders below folders; a package has two or three. */
const MAX_DEPTH = 12;

async function readInside(root: string, relative: string): Promise<Uint8Array | undefined> {
  const path = join(root, relative);
  if ((await lstat(path)).isSymbolicLink()) {
    const target = await realpath(path).catch(() => '');
    if (!target.startsWith(root + sep) || !(await stat(target)).isFile()) {
      throw new TerminalError(`${path} is a link that leads out of the package, or not to a file.`, 'PackageInvalid');
    }
  }
  const { size } = await stat(path);
  if (size > limits.packageFileBytes) throw tooLarge(path, `more than ${limits.packageFileBytes} bytes`);
  return readFile(path);
}

function tooLarge(path: string, what: string): TerminalError {
  return new TerminalError(`${path} is too large for a package: ${what}.`, 'PackageTooLarge');
}
