import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project, whatever the working directory. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const IGNORED = new Set(['node_modules', 'dist', '.next', '.git']);

/**
 * A digest of the names, sizes and times of all files below some paths of the project: changes whenever one is edited. Tests
 * are left out, because no bundle contains them.
 *
 * @param {readonly string[]} paths relative to the root; missing ones count as empty
 * @returns {string} 16 hex digits
 */
export function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addPath(hash, path);
  return hash.digest('hex').slice(0, 16);
}

function addPath(hash, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    if (!/\.test\.tsx?$/.test(path)) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\0`);
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (!IGNORED.has(name)) addPath(hash, `${path}/${name}`);
  }
}
