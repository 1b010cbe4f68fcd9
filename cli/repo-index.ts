import { createHash } from 'node:crypto';
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { formatTime, systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { addToIndex, formatIndex, indexEntry, mergeIndexes } from '@/lib/kudo/repository/build-index';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { loadArchive } from '@/server/packages/loaded-package';
import type { HomeFlags } from './support/home';
import { onlyArgument, openRepository } from './support/packages';
import { printLine } from './support/print-line';
import { findRepository, type RepositoryEntry, requireRepositories } from './support/repositories';

interface IndexFlags {
  readonly url?: string;
  readonly urlRepo?: string;
  readonly merge?: string;
  readonly mergeRepo?: string;
  readonly overwrite?: boolean;
}

/** `bravo repo index DIR`: writes the `index.yaml` of a folder of package archives. */
export function repoIndexCommand(): Command {
  return new Command('index')
    .description('Write the index.yaml of a folder of package archives')
    .argument('[folder...]')
    .option('--url <url>', 'base address of the archives')
    .option('--url-repo <name>', 'use the address of this repository of the list')
    .option('--merge <url>', 'merge the entries of the repository at this address')
    .option('--merge-repo <name>', 'merge the entries of this repository of the list')
    .option('-w, --overwrite', 'overwrite an existing index.yaml')
    .action(async (words: string[], flags: IndexFlags, self: Command) => {
      const what = 'expecting exactly one argument - directory containing the operators to package';
      const folder = resolve(onlyArgument(words, what));
      if (flags.merge !== undefined && flags.mergeRepo !== undefined) {
        throw refused("specify either 'merge' or 'merge-repo', not both");
      }
      if (flags.url !== undefined && flags.urlRepo !== undefined) {
        throw refused("specify either 'url' or 'url-repo', not both");
      }
      await writeIndex(folder, flags, self.optsWithGlobals<HomeFlags>());
    });
}

async function writeIndex(folder: string, flags: IndexFlags, home: HomeFlags): Promise<void> {
  const named = async (name: string): Promise<RepositoryEntry> => {
    const found = findRepository(await requireRepositories(home), name);
    if (found === undefined) throw refused(`configuration for repositories does not contain ${name}`);
    return found;
  };
  const base = flags.urlRepo === undefined ? (flags.url ?? '') : (await named(flags.urlRepo)).url;
  const other =
    flags.mergeRepo === undefined
      ? flags.merge === undefined
        ? undefined
        : { name: flags.merge, url: flags.merge }
      : await named(flags.mergeRepo);
  const target = await targetIn(folder, flags.overwrite === true);
  const built = addToIndex({ entries: new Map() }, await readEntries(folder, base));
  for (const problem of built.problems) printLine(problem);
  const index = other === undefined ? built.index : mergeIndexes(built.index, await openRepository(other).index());
  await writeFile(target, formatIndex(index, formatTime(systemClock.now())));
  printLine(`index ${target} created.`);
}

async function targetIn(folder: string, overwrite: boolean): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw refused(`destination "${folder}" is not a proper directory`);
  const target = join(folder, 'index.yaml');
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists && !overwrite) throw refused(`target file "${target}" already exists`);
  return target;
}

/** An entry for each archive, in the order of the file names; an invalid archive is named and skipped. */
async function readEntries(folder: string, base: string): Promise<IndexEntry[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).sort();
  if (names.length === 0) throw refused('no packages discovered');
  const entries: IndexEntry[] = [];
  for (const name of names) {
    const path = join(folder, name);
    try {
      const bytes = await readFile(path);
      const { operator } = (await loadArchive(bytes, path)).package;
      entries.push(indexEntry(operator, base, createHash('sha256').update(bytes).digest('hex')));
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      printLine(`WARNING: operator: ${path} is invalid`);
    }
  }
  return entries;
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
