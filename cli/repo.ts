import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { repoIndexCommand } from './repo-index';
import { repoMirrorCommand } from './repo-mirror';
import { repoServeCommand } from './repo-serve';
import type { HomeFlags } from './support/home';
import { formatTable } from './support/output';
import { openRepository } from './support/packages';
import { printLine } from './support/print-line';
import { findRepository, requireRepositories, writeRepositories } from './support/repositories';
import { readKeyTexts } from './support/signing-keys';

/** `bravo repo add|list|remove|context|index|serve|mirror`. */
export function repoCommand(): Command {
  return new Command('repo')
    .description('Manage the list of package repositories; index, serve and mirror repositories')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addCommand(contextCommand())
    .addCommand(repoIndexCommand())
    .addCommand(repoServeCommand())
    .addCommand(repoMirrorCommand());
}

function addCommand(): Command {
  return new Command('add')
    .description('Add a repository')
    .argument('[name and url...]', 'the name, and the address of the folder with index.yaml, or oci://registry/path')
    .option('-f, --skip-check', 'do not check the repository')
    .option('--require-signature', 'accept only packages that one of the keys has signed')
    .option('--key <file...>', 'public keys for --require-signature')
    .option('--operator <name...>', 'the packages of a registry that does not list its repositories')
    .option('--plain-http', 'ask the registry over http (a registry on this machine always is)')
    .action(async (words: string[], flags: AddFlags, self: Command) => {
      const home = self.optsWithGlobals<HomeFlags>();
      const [name, url] = words;
      if (name === undefined || url === undefined) {
        throw refused('this command needs 2. name and url of the operator repository');
      }
      const list = await requireRepositories(home);
      if (findRepository(list, name) !== undefined) {
        throw refused(`repository name (${name}) already exists, please specify a different name`);
      }
      const source = await sourceOf(name, url, flags);
      if (flags.skipCheck !== true) await checkRepository(source);
      await writeRepositories(home, { ...list, repositories: [...list.repositories, source] });
      printLine(`"${name}" has been added to your repositories`);
    });
}

interface AddFlags {
  readonly skipCheck?: boolean;
  readonly requireSignature?: boolean;
  readonly key?: string[];
  readonly operator?: string[];
  readonly plainHttp?: boolean;
}

async function sourceOf(name: string, url: string, flags: AddFlags): Promise<RepositorySource> {
  const { requireSignature = false, key = [], operator, plainHttp } = flags;
  if (requireSignature !== key.length > 0) {
    throw refused(
      '--require-signature needs the public keys that count (--key cosign.pub), and --key needs --require-signature',
    );
  }
  return {
    name,
    url,
    ...(requireSignature ? { signatureKeys: await readKeyTexts(key) } : {}),
    ...(operator === undefined ? {} : { operators: operator }),
    ...(plainHttp === true ? { isPlainHttp: true } : {}),
  };
}

async function checkRepository(source: RepositorySource): Promise<void> {
  const { url } = source;
  try {
    await openRepository(source).index();
  } catch (error) {
    throw refused(`looks like "${url}" is not a valid operator repository or cannot be reached: ${messageOf(error)}`);
  }
}

function listCommand(): Command {
  return new Command('list')
    .description('List the repositories; the current one has a *')
    .argument('[arguments...]')
    .action(async (_words: string[], _flags: unknown, self: Command) => {
      const { repositories, context } = await requireRepositories(self.optsWithGlobals<HomeFlags>());
      if (repositories.length === 0) throw refused('no repositories to show');
      const rows = repositories.map(({ name, url }) => [name === context ? `*${name}` : name, url]);
      printLine(formatTable([['NAME', 'URL'], ...rows]));
    });
}

function removeCommand(): Command {
  return new Command('remove')
    .alias('rm')
    .description('Remove repositories from the list')
    .argument('[names...]')
    .action(async (names: string[], _flags: unknown, self: Command) => {
      if (names.length === 0) throw refused('need at least one argument, name of operator repository');
      const home = self.optsWithGlobals<HomeFlags>();
      for (const name of names) {
        const { repositories, context } = await requireRepositories(home);
        if (!repositories.some((each) => each.name === name)) throw refused(`no repo named "${name}" found`);
        const left = repositories.filter((each) => each.name !== name);
        await writeRepositories(home, { repositories: left, context });
        printLine(`"${name}" has been removed from your repositories`);
        if (name !== context) continue;
        const advice = left[0] === undefined ? '' : ` Select another one: bravo repo context ${left[0].name}`;
        process.stderr.write(`Warning: "${name}" was the current repository.${advice}\n`);
      }
    });
}

function contextCommand(): Command {
  return new Command('context')
    .description('Select the current repository')
    .argument('[name...]')
    .action(async ([name]: string[], _flags: unknown, self: Command) => {
      if (name === undefined) throw refused('need at least one argument, name of operator repository');
      const home = self.optsWithGlobals<HomeFlags>();
      const list = await requireRepositories(home);
      if (list.repositories.length === 0) throw refused('no repositories to set');
      if (findRepository(list, name) === undefined) throw refused(`no repo named "${name}" found`);
      await writeRepositories(home, { ...list, context: name });
    });
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
