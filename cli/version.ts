import { Command } from 'commander';
import { KUDO_VERSION } from '@/lib/kudo/names';
import { productVersion } from '@/server/runtime/root';
import { printLine } from './support/print-line';

/** `bravo version`: prints the version of KUDO that this program replaces, in KUDO's form, and its own. */
export function versionCommand(): Command {
  return new Command('version')
    .description('Print the version of this program')
    .argument('[arguments...]')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (_words: string[], flags: { output?: string }) => {
      const version = clientVersion();
      if (flags.output === undefined) {
        printLine(`KUDO Version: version.Info${asGo(version)}\nBravo Version: ${productVersion}`);
        return;
      }
      const { formatOne, readFormat } = await import('./support/output');
      const format = readFormat(flags.output);
      if (format !== undefined) printLine(formatOne({ clientVersion: version }, format));
      else printLine(`KUDO Version: version.Info${asGo(version)}\nBravo Version: ${productVersion}`);
    });
}

/** The fields that KUDO prints; compiler and platform are those that Bravo runs on. */
export function clientVersion(): { readonly [member: string]: string } {
  return {
    gitVersion: KUDO_VERSION,
    gitCommit: `bravo-${productVersion}`,
    buildDate: '',
    goVersion: '',
    compiler: `node ${process.versions.node}`,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    kubernetesClientVersion: '',
  };
}

function asGo(members: { readonly [member: string]: string }): string {
  const parts = Object.entries(members).map(
    ([name, value]) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}:${JSON.stringify(value)}`,
  );
  return `{${parts.join(', ')}}`;
}
