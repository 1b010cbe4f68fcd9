import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import { type RepositorySource, sourceOfAddress } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import { folderTarget } from '@/server/packages/mirror/folder-target';
import { type MirrorOutcome, type MirrorTarget, mirrorPackages } from '@/server/packages/mirror/mirror';
import { ociTarget } from '@/server/packages/mirror/oci-target';
import { policyOf } from '@/server/packages/open-repository';
import type { HomeFlags } from './support/home';
import { openRegistry, openRepository } from './support/packages';
import { printLine } from './support/print-line';
import { findRepository, readRepositories } from './support/repositories';

interface MirrorFlags extends HomeFlags {
  readonly operator?: string[];
  readonly version?: string[];
  readonly url?: string;
  readonly plainHttp?: boolean;
}

/** `bravo repo mirror SOURCE TARGET`: copies packages from one repository to another, or to a folder for a network without Internet. */
export function repoMirrorCommand(): Command {
  return new Command('mirror')
    .description('Copy packages from a repository to a folder or an OCI registry, with digests and signatures')
    .argument(
      '[source and target...]',
      'a name of the list, a URL, a folder or oci://registry/path; a folder or oci://registry/path',
    )
    .option('--operator <name...>', 'only these packages')
    .option('--version <version...>', 'only these versions: of the operator, of the application, or 16.9-1.1.0')
    .option('--url <url>', 'base address of the archives in the index of a folder (default: relative)')
    .option('--plain-http', 'ask the registry of the target over http (one on this machine always is)')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<MirrorFlags>();
      const [from, to] = words;
      if (from === undefined || to === undefined || words.length !== 2) {
        throw new TerminalError('expecting exactly two arguments - the source and the target', 'InvalidArguments');
      }
      const list = (await readRepositories(flags))?.repositories ?? [];
      const source = sourceOf(from, list);
      const outcomes = await mirrorPackages({
        source: openRepository(source),
        target: targetOf(to, flags, list),
        policy: policyOf(source),
        operators: flags.operator ?? [],
        versions: flags.version ?? [],
        onPackage: (entry, outcome) => printLine(lineOf(entry, outcome)),
      });
      report(outcomes);
    });
}

/** A repository of the list keeps its policy, also when it is named by its address. */
function sourceOf(text: string, list: readonly RepositorySource[]): RepositorySource {
  const named = findRepository({ repositories: list, context: '' }, text);
  if (named !== undefined) return named;
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = isAddress ? text : pathToFileURL(resolve(text)).href;
  return { ...sourceOfAddress(list, url), name: text, url };
}

function targetOf(text: string, flags: MirrorFlags, list: readonly RepositorySource[]): MirrorTarget {
  if (isOciReference(text)) {
    const own = { name: text, url: text, isPlainHttp: flags.plainHttp === true };
    return ociTarget(openRegistry([...list, own]), text);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new TerminalError(
      `${text} cannot be written to. The target is a folder or oci://registry/path.`,
      'InvalidArguments',
    );
  }
  return folderTarget(resolve(text), flags.url ?? '', systemClock);
}

const WORDS: { readonly [outcome in MirrorOutcome['is']]: string } = {
  copied: 'copied    ',
  present: 'up to date',
  failed: 'failed    ',
};

function lineOf({ name, appVersion, operatorVersion }: IndexEntry, outcome: MirrorOutcome): string {
  const version = [name, appVersion, operatorVersion].filter((each) => each !== '').join(' ');
  return `${WORDS[outcome.is]} ${version}${outcome.is === 'failed' ? `: ${outcome.why}` : ''}`;
}

function report(outcomes: readonly MirrorOutcome[]): void {
  const count = (is: MirrorOutcome['is']): number => outcomes.filter((each) => each.is === is).length;
  const failed = count('failed');
  const packages = (n: number): string => `${n} ${n === 1 ? 'package' : 'packages'}`;
  printLine(
    `${packages(outcomes.length)}: ${count('copied')} copied, ${count('present')} up to date, ${failed} failed`,
  );
  if (failed === 0) return;
  throw new TerminalError(
    `${packages(failed)} could not be copied. Run the command again: it continues.`,
    'MirrorIncomplete',
  );
}
