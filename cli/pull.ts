import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { packageFileName } from '@/lib/kudo/names';
import { sourceOfAddress } from '@/lib/kudo/repository/repository-source';
import { formatOciReference } from '@/lib/oci/reference';
import { isRepositoryFile } from '@/server/packages/companions';
import { loadArchive } from '@/server/packages/loaded-package';
import { fetchOciArchive } from '@/server/packages/oci/oci-repository';
import { policyOf } from '@/server/packages/open-repository';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { onlyArgument } from './support/packages';
import { printLine } from './support/print-line';
import { ociArgument, type RegistryFlags, registryFor, withRegistryFlags } from './support/registry-flags';
import { readRepositories } from './support/repositories';
import { policyOfFlag } from './support/signing-keys';

interface PullFlags extends RegistryFlags {
  readonly destination: string;
  readonly overwrite?: boolean;
  readonly key?: string[];
}

/** `bravo pull oci://…`: gets a package out of an OCI registry, as a `.tgz` file. */
export function pullCommand(): Command {
  const command = new Command('pull')
    .description('Get a package out of an OCI registry, as a .tgz file')
    .argument('[reference...]', 'oci://registry/path/NAME with or without :TAG or @DIGEST')
    .option('-d, --destination <folder>', 'folder for the file', '.')
    .option('-w, --overwrite', 'overwrite an existing file')
    .option('--key <file...>', 'accept only what one of these public keys has signed');
  return withRegistryFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<PullFlags>();
    const reference = onlyArgument(
      words,
      'expecting exactly one argument - a reference such as oci://registry/path/NAME:TAG',
    );
    await pull(formatOciReference(ociArgument(reference)), flags);
  });
}

async function pull(reference: string, flags: PullFlags): Promise<void> {
  const { archive, place, evidence } = await fetchOciArchive(await registryFor(reference, flags), reference);
  const source = sourceOfAddress((await readRepositories(flags))?.repositories ?? [], reference);
  const policies = [
    source === undefined ? undefined : policyOf(source),
    flags.key === undefined ? undefined : await policyOfFlag(flags.key),
  ];
  for (const policy of policies) {
    if (policy !== undefined) checkSignatures(archive, place, await evidence(), policy);
  }
  const { name, operatorVersion, appVersion } = (await loadArchive(archive, place)).package.operator;
  const folder = resolve(flags.destination);
  const fileName = packageFileName(name, operatorVersion, appVersion);
  // The package names itself: its name must not lead out of the folder.
  if (!isRepositoryFile(fileName)) {
    throw new TerminalError(`The package ${place} has no valid name and versions for a file.`, 'PackageInvalid');
  }
  const path = join(folder, fileName);
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists && flags.overwrite !== true) {
    throw new TerminalError(`target file "${path}" already exists`, 'AlreadyExists');
  }
  await mkdir(folder, { recursive: true });
  await writeFile(path, archive);
  printLine(`Package pulled: ${path}`);
  printLine(`from ${place}`);
}
