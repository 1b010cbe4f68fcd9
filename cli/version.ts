import { Command } from 'commander';
import { productVersion } from '@/server/runtime/root';
import { formatOne, readFormat } from './support/output';
import { print } from './support/session';

/** The version of KUDO whose resources and plans this program speaks. */
const KUDO_VERSION = '0.19.0';

/** `bravo version`: of this program, and of the KUDO whose place it takes. */
export function versionCommand(): Command {
  return new Command('version')
    .description('The version of this program')
    .argument('[arguments...]')
    .option('-o, --output <format>', 'yaml or json')
    .action((_words: string[], flags: { output?: string }) => {
      const format = readFormat(flags.output);
      const platform = `${process.platform}/${process.arch}`;
      if (format !== undefined) {
        print(
          formatOne({ clientVersion: { gitVersion: productVersion, kudoVersion: KUDO_VERSION, platform } }, format),
        );
      } else print(`Bravo Version: ${productVersion} (KUDO ${KUDO_VERSION}, ${platform})`);
    });
}
