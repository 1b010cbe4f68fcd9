import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { searchIndex } from '@/lib/kudo/repository/index-file';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import type { HomeFlags } from './support/home';
import { formatTable } from './support/output';
import { openCatalogue, openRepository } from './support/packages';
import { printLine } from './support/print-line';
import { COMMUNITY, findRepository, readRepositories } from './support/repositories';

interface SearchFlags extends HomeFlags {
  readonly repo?: string;
  readonly allVersions?: boolean;
}

interface Found {
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
}

/** `bravo search TEXT`: lists the packages of the current repository whose name contains the text. */
export function searchCommand(): Command {
  return new Command('search')
    .description('Search packages by a part of their name')
    .argument('[text...]')
    .option('--repo <name>', 'search only this repository of the list')
    .option('-a, --all-versions', 'show every version')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const [text] = words;
      if (text === undefined || words.length !== 1) {
        throw new TerminalError('this command must have only 1 search criterion', 'InvalidArguments');
      }
      const found = await search(text, self.optsWithGlobals<SearchFlags>());
      if (found.length === 0) printLine('no operators found');
      else printLine(formatTable([['Name', 'Operator Version', 'App Version'], ...rowsOf(found)]));
    });
}

async function search(text: string, flags: SearchFlags): Promise<Found[]> {
  const which = flags.allVersions === true ? 'all' : 'best';
  const list = await readRepositories(flags);
  const searchIn = async (entry: RepositorySource): Promise<Found[]> =>
    searchIndex(await openRepository(entry).index(), text, which);
  const wanted = flags.repo || list?.context;
  if (wanted !== undefined) {
    const entry = list === undefined ? undefined : findRepository(list, wanted);
    if (entry !== undefined) return searchIn(entry);
    throw new TerminalError(
      `could not build operator repository: unable to find repository for ${wanted}`,
      'RepositoryUnknown',
    );
  }
  const here = await searchCatalogue(text, which);
  const there = await searchIn(COMMUNITY).catch((error: unknown) => {
    process.stderr.write(`Warning: ${COMMUNITY.url} cannot be searched: ${messageOf(error)}\n`);
    return [];
  });
  const names = new Set(here.map(({ name }) => name));
  return [...here, ...there.filter(({ name }) => !names.has(name))].sort((a, b) =>
    a.name === b.name ? 0 : a.name < b.name ? -1 : 1,
  );
}

/** Without a list of repositories the packages that come with Bravo are searched too. */
async function searchCatalogue(text: string, which: 'best' | 'all'): Promise<Found[]> {
  const entries = (await openCatalogue().list()).filter(({ name }) => name.includes(text));
  return which === 'all' ? [...entries] : entries.filter(({ name }, at) => name !== entries[at - 1]?.name);
}

/** Only the first version of a package shows its name. */
function rowsOf(found: readonly Found[]): string[][] {
  return found.map(({ name, operatorVersion, appVersion }, at) => [
    name === found[at - 1]?.name ? '' : name,
    operatorVersion,
    appVersion,
  ]);
}
