import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project: where `operators/`, `public/` and the built pages are, from source and from a bundle. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The version in package.json. */
export const productVersion = readVersion(projectRoot);

function findRoot(start: string): string {
  let folder = start;
  // Without the comments the build would look for the file in every folder of the project.
  while (!existsSync(/* turbopackIgnore: true */ join(/* turbopackIgnore: true */ folder, 'next.config.js'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`The project's folder was not found above ${start}.`);
    folder = parent;
  }
  return folder;
}

function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string };
  return version ?? '0.0.0';
}
