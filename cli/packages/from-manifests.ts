import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { manifestsToPackage } from '@/lib/kudo/manifests/manifests-to-package';
import { readManifests } from '@/lib/kudo/manifests/read-manifests';
import { isObjectName } from '@/lib/kudo/verify/check-names';
import { PackageError } from '@/server/packages/loaded-package';
import { readFolderBytes } from '@/server/packages/read-folder';
import { printLine } from '../support/print-line';
import { printNotes, writeConverted } from './write-converted';

/** `bravo package from-manifests PATH…`: turns Kubernetes objects into a package. */
export function fromManifestsCommand(): Command {
  return new Command('from-manifests')
    .description('Turn Kubernetes manifests into a package')
    .argument('<paths...>', 'folders and files with objects in YAML or JSON')
    .option('-o, --output <folder>', 'folder of the package', 'operator')
    .option('--name <name>', 'name of the operator (default: what the names of the objects begin with)')
    .option('-w, --overwrite', 'write into a folder that has files')
    .action(async (paths: string[], flags: { output: string; name?: string; overwrite?: boolean }) => {
      const { name } = flags;
      if (name !== undefined && !isObjectName(name)) {
        throw new TerminalError(`"${name}" is not a valid name of a Kubernetes object.`, 'InvalidArguments');
      }
      const read = readManifests(await readTexts(paths));
      if (!read.ok) throw new PackageError(read.problems, paths.join(', '));
      const converted = manifestsToPackage(read.objects, name);
      await writeConverted(flags.output, converted.files, flags.overwrite === true);
      printNotes(converted.notes);
      const { instanceName } = converted;
      printLine(`Package written: ${flags.output}`);
      printLine(
        `Its Instance has the names of the manifests with: bravo install ${flags.output.replace(/^(?![./])/, './')} --instance ${instanceName}`,
      );
    });
}

async function readTexts(paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new TerminalError(`${path}: no such file or folder`, 'InvalidArguments');
    if (!found.isDirectory()) {
      texts.set(path, await readFile(path, 'utf8'));
      continue;
    }
    const decoder = new TextDecoder();
    for (const [name, bytes] of await readFolderBytes(path, (each) => /\.(ya?ml|json)$/.test(each))) {
      texts.set(`${path.replace(/\/+$/, '')}/${name}`, decoder.decode(bytes));
    }
  }
  return texts;
}
