import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { OPERATOR_FILE } from '@/lib/kudo/package/types';
import { appendYaml } from '@/lib/yaml/append-yaml';

/** True for a file or folder that exists. */
export function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The package that `package add` works on: the working folder if it is one (KUDO failed there), else the only folder in it
 * that is.
 *
 * @throws TerminalError when there is none, or more than one
 */
export async function findOperatorFolder(): Promise<string> {
  if (await pathExists(OPERATOR_FILE)) return '.';
  const found: string[] = [];
  for (const entry of await readdir('.', { withFileTypes: true })) {
    if (entry.isDirectory() && (await pathExists(join(entry.name, OPERATOR_FILE)))) found.push(entry.name);
  }
  const [folder] = found;
  if (folder === undefined) throw new TerminalError('no operator folder discovered', 'PackageNotFound');
  if (found.length > 1) throw new TerminalError('multiple operator folders discovered', 'PackageNotFound');
  return folder;
}

/** Adds to a file of a package and keeps its other lines and comments. */
export async function addToFile(
  path: string,
  place: readonly [string] | readonly [string, string],
  value: JsonValue,
): Promise<void> {
  const text = (await pathExists(path)) ? await readFile(path, 'utf8') : '';
  await writeFile(path, appendYaml(text, place, value));
}
