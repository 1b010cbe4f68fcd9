import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for this user alone, one by one: Node's recursive mkdir never returns where the system
 * answers ENOENT for a new folder in one that exists, as below /proc (seen with Node 20).
 *
 * @param path absolute
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let at = path;
  for (; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
}
