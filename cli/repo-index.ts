import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { formatTime, systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { addToIndex, formatIndex, mergeIndexes } from '@/lib/kudo/repository/build-index';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { withReleases } from '@/lib/kudo/repository/releases-file';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { archiveNames, folderEntries } from '@/server/packages/folder-index';
import { channelsOfFlag } from './support/channels';
import type { HomeFlags } from './support/home';
import { onlyArgument, openRepository } from './support/packages';
import { printLine } from './support/print-line';
import { findRepository, requireRepositories } from './support/repositories';
import { repeated } from './support/session';

interface IndexFlags {
  readonly url?: string;
  readonly urlRepo?: string;
  readonly merge?: string;
  readonly mergeRepo?: string;
  readonly overwrite?: boolean;
  readonly channel?: readonly string[];
  readonly releases?: string;
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
    .option('--channel <name>', 'put the versions of this folder into a channel; may be given several times', repeated)
    .option('--releases <file>', 'file with channels, ranges, withdrawals and advisories of versions')
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
  const named = async (name: string): Promise<RepositorySource> => {
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
  const entries = await withUpgradeFields(await readEntries(folder, base), flags);
  const built = addToIndex({ entries: new Map() }, entries);
  for (const problem of built.problems) printLine(problem);
  const index = other === undefined ? built.index : mergeIndexes(built.index, await openRepository(other).index());
  await writeFile(target, formatIndex(index, formatTime(systemClock.now())));
  printLine(`index ${target} created.`);
}

/** Channels of the command line for every version that the file gives none. */
async function withUpgradeFields(
  entries: readonly IndexEntry[],
  { channel, releases }: IndexFlags,
): Promise<IndexEntry[]> {
  const channels = channelsOfFlag(channel);
  const inChannels = entries.map((entry) => (channels.length === 0 ? entry : { ...entry, channels }));
  if (releases === undefined) return inChannels;
  const text = await readFile(releases, 'utf8').catch((error: unknown) => {
    throw refused(`--releases: ${messageOf(error)}`);
  });
  return withReleases(inChannels, text, releases);
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

async function readEntries(folder: string, base: string): Promise<readonly IndexEntry[]> {
  if ((await archiveNames(folder)).length === 0) throw refused('no packages discovered');
  const { entries, invalid } = await folderEntries(folder, base);
  for (const path of invalid) printLine(`WARNING: operator: ${path} is invalid`);
  return entries;
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
