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
  const lines = [];
  for (const path of paths) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) addFolder(lines, path);
    else if (stat !== undefined) lines.push(lineOf(path, stat));
  }
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16);
}

/** Called for two thousand files at each start of the command line. */
function addFolder(lines, folder) {
  const entries = readdirSync(`${root}${folder}`, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (IGNORED.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
    if (entry.isDirectory()) addFolder(lines, path);
    else lines.push(lineOf(path, statSync(`${root}${path}`)));
  }
}

function lineOf(path, { size, mtimeMs }) {
  return `${path}\0${size}\0${mtimeMs}\0`;
}
