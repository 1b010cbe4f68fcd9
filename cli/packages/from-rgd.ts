import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { rgdToPackage } from '@/lib/kudo/rgd/rgd-to-package';
import { PackageError } from '@/server/packages/loaded-package';
import { printLine } from '../support/print-line';
import { printNotes, writeConverted } from './write-converted';

/** `bravo package from-rgd FILE`: turns a ResourceGraphDefinition of kro into a package with its own kind. */
export function fromRgdCommand(): Command {
  return new Command('from-rgd')
    .description('Turn a ResourceGraphDefinition of kro into a package with its own kind')
    .argument('<file>', 'file with the ResourceGraphDefinition')
    .option('-o, --output <folder>', 'folder of the package', 'operator')
    .option('-w, --overwrite', 'write into a folder that has files')
    .action(async (file: string, flags: { output: string; overwrite?: boolean }) => {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new TerminalError(`${file}: ${messageOf(error)}`, 'InvalidArguments');
      });
      const converted = rgdToPackage(file, text);
      if (!converted.ok) throw new PackageError(converted.problems, file);
      await writeConverted(flags.output, converted.files, flags.overwrite === true);
      printNotes(converted.notes);
      printLine(`Package written: ${flags.output}`);
      const folder = flags.output.replace(/^(?![./])/, './');
      printLine(`Its kind is served after: bravo install ${folder} --skip-instance`);
    });
}
