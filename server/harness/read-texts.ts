import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';

/** The text of a file of a suite. @throws TerminalError when it cannot be read or is too large */
export async function readSuiteText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > limits.yamlBytes) {
      throw new TerminalError(`${path} is larger than ${limits.yamlBytes} bytes.`, 'FileTooLarge');
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    throw error instanceof TerminalError ? error : new TerminalError(`${messageOf(error)}`, 'NoFile', { cause: error });
  }
}

/** The entries of a folder in alphabetical order. @throws TerminalError when it cannot be read or has too many */
export async function readEntries(
  path: string,
): Promise<readonly { readonly name: string; readonly path: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    if (entries.length > limits.harness.filesPerFolder) {
      throw new TerminalError(`${path} has more than ${limits.harness.filesPerFolder} entries.`, 'TooManyFiles');
    }
    const found = await Promise.all(
      entries.map(async (entry) => {
        const at = join(path, entry.name);
        const isFolder = entry.isSymbolicLink() ? (await stat(at)).isDirectory() : entry.isDirectory();
        return { name: entry.name, path: at, isFolder };
      }),
    );
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw error instanceof TerminalError ? error : new TerminalError(messageOf(error), 'NoFolder', { cause: error });
  }
}

/** Paths of the files below a folder whose names end in one of the extensions, folders deeper after their parents. */
export async function filesBelow(path: string, extensions: readonly string[]): Promise<string[]> {
  const entries = await readEntries(path);
  const files = entries.filter(({ name, isFolder }) => !isFolder && extensions.some((end) => name.endsWith(end)));
  const below = await Promise.all(
    entries.filter(({ isFolder }) => isFolder).map((folder) => filesBelow(folder.path, extensions)),
  );
  const found = [...files.map((file) => file.path), ...below.flat()];
  if (found.length > limits.harness.filesPerFolder) {
    throw new TerminalError(`${path} has more than ${limits.harness.filesPerFolder} files.`, 'TooManyFiles');
  }
  return found;
}
