import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { patternProblem, safePattern } from '@/lib/schema/safe-pattern';
import { readEntries } from './read-texts';
import type { TestCase } from './run-case';

/** The cases of one test directory. */
export interface TestDirectory {
  /** As it is configured. */
  readonly path: string;
  readonly cases: readonly TestCase[];
}

export interface FindOptions {
  /** Relative paths begin here. */
  readonly folder: string;
  /** A regular expression on the names of cases; empty: all. */
  readonly pattern: string;
  /** Downloads and unpacks the archive at a URL, and gives the folder of its tests. */
  unpack?(url: string): Promise<string>;
}

/**
 * Every direct sub-folder of the test directories whose name matches. Of equal names the later ones get `#01`, `#02`, as Go's
 * tests do.
 *
 * @throws TerminalError for a directory that does not exist, and for a pattern that is none
 */
export async function findCases(paths: readonly string[], options: FindOptions): Promise<TestDirectory[]> {
  const { folder, pattern } = options;
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new TerminalError(`--test ${pattern}: ${problem}`, 'InvalidPattern');
  const seen = new Map<string, number>();
  const directories: TestDirectory[] = [];
  for (const path of paths) {
    const isUrl = /^https?:\/\//.test(path);
    const root = isUrl && options.unpack !== undefined ? await options.unpack(path) : resolve(folder, path);
    if ((await stat(root).catch(() => undefined))?.isDirectory() !== true) {
      throw new TerminalError(`The test directory ${path} does not exist.`, 'NoFolder');
    }
    const cases: TestCase[] = [];
    for (const entry of await readEntries(root)) {
      const name = basename(entry.path);
      if (!entry.isFolder || safePattern(pattern)?.matcher(name).find() !== true) continue;
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const unique = count === 0 ? name : `${name}#${String(count).padStart(2, '0')}`;
      cases.push({ name: unique, folder: entry.path });
    }
    directories.push({ path, cases });
  }
  return directories;
}
