import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { chartToPackage } from '@/lib/kudo/charts/chart-to-package';
import { isObjectName } from '@/lib/kudo/verify/check-names';
import { PackageError } from '@/server/packages/loaded-package';
import { loadChart } from '@/server/packages/read-chart';
import { printLine } from '../support/print-line';
import { printNotes, writeConverted } from './write-converted';

/** `bravo package from-chart CHART`: turns a Helm chart into a package. */
export function fromChartCommand(): Command {
  return new Command('from-chart')
    .description('Turn a Helm chart into a package')
    .argument('<chart>', 'folder or .tgz file')
    .option('-o, --output <folder>', 'folder of the package', 'operator')
    .option('--name <name>', "name of the operator (default: the chart's)")
    .option('-w, --overwrite', 'write into a folder that has files')
    .action(async (path: string, flags: { output: string; name?: string; overwrite?: boolean }) => {
      const { name, output } = flags;
      if (name !== undefined && !isObjectName(name)) {
        throw new TerminalError(`"${name}" is not a valid name of a Kubernetes object.`, 'InvalidArguments');
      }
      const result = chartToPackage(await loadChart(path), name);
      if (!result.ok) throw new PackageError(result.problems, path);
      await writeConverted(output, result.converted.files, flags.overwrite === true);
      printNotes(result.converted.notes);
      printLine(`Package written: ${output}`);
    });
}
