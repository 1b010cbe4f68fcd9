import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { packagePage } from '@/lib/kudo/package-docs/package-page';
import { readReadme } from '@/server/packages/read-readme';
import { findPackageArgument, onlyArgument, type PackageFlags } from './support/packages';
import { printLine } from './support/print-line';

interface DocsFlags extends PackageFlags {
  readonly output?: string;
}

/** `bravo package docs REF [-o FILE]`: the documentation of a package in Markdown. */
export function packageDocsCommand(): Command {
  return new Command('docs')
    .description('Write the documentation of a package in Markdown: parameters, plans, README')
    .argument('[package...]')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator')
    .option('--repo <name>', 'look the package up in this repository of the list (bravo repo list)')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<DocsFlags>();
      const name = onlyArgument(words, 'expecting exactly one argument - directory of the operator or name of package');
      const { loaded } = await findPackageArgument(name, flags);
      const page = packagePage(loaded.package, await readReadme(loaded));
      if (flags.output === undefined) process.stdout.write(page);
      else {
        await writeFile(flags.output, page);
        printLine(`Documentation written: ${flags.output}`);
      }
    });
}
