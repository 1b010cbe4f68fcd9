import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['app', 'components', 'lib', 'server', 'cli'];

/** One source file: its path from the root with slashes, its text, and what it imports. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  /** Paths from the root for our own modules (`lib/json/json`), package names for others. */
  readonly imports: readonly Import[];
}

export interface Import {
  readonly target: string;
  /** `import type`: erased, so it brings no code along. */
  readonly typeOnly: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"()]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every TypeScript file of some folders; of the product's when none are given. */
export function readSources(folders: readonly string[] = FOLDERS): Source[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => toSource(relative(root, path), readFileSync(path, 'utf8')));
}

function toSource(path: string, text: string): Source {
  const imports = [...text.matchAll(IMPORT)].map((match) => ({
    target: resolveTarget(path, match[2] ?? match[3] ?? ''),
    typeOnly: match[1] !== undefined,
  }));
  return { path, text, isTest: /\.test\.tsx?$|test-support|\/testing\//.test(path), imports };
}

function resolveTarget(from: string, target: string): string {
  if (target.startsWith('@/')) return target.slice(2);
  if (target.startsWith('.')) return posix.normalize(posix.join(dirname(from), target));
  return target;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
