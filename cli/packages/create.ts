import { access, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { LOCK_FILE, writeBaseLock } from '@/lib/kudo/extends/lock';
import { packageFileName } from '@/lib/kudo/names';
import { attest, PROVENANCE_SUFFIX, SBOM_SUFFIX } from '@/server/packages/attest';
import type { PackageWithBase } from '@/server/packages/with-base';
import { writePackageArchive } from '@/server/packages/write-archive';
import { productVersion } from '@/server/runtime/root';
import type { HomeFlags } from '../support/home';
import { onlyArgument } from '../support/packages';
import { printLine } from '../support/print-line';
import { type Examined, ONE_PACKAGE, verifyAndPrint } from './verify';

interface CreateFlags extends HomeFlags {
  readonly destination: string;
  readonly overwrite?: boolean;
  readonly output?: string;
  readonly updateBase?: boolean;
  readonly attest?: boolean;
}

/** `bravo package create FOLDER`. */
export function createCommand(): Command {
  return new Command('create')
    .description('Verify a package and pack it into a .tgz file')
    .argument('[folder...]')
    .option('-d, --destination <folder>', 'folder for the file', '.')
    .option('-w, --overwrite', 'overwrite an existing file')
    .option('-o, --output <format>', 'yaml or json')
    .option('--update-base', 'build with the newest version of the base that "extends" allows')
    .option('--attest', 'write provenance and SBOM beside it: FILE.tgz.provenance.json, FILE.tgz.sbom.json')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<CreateFlags>();
      const folder = onlyArgument(words, ONE_PACKAGE);
      const base = { updatesBase: flags.updateBase === true };
      const { examined, isFormatted } = await verifyAndPrint(folder, { output: flags.output, home: flags, base });
      const path = await pack(folder, examined, flags);
      if (isFormatted) return;
      if (examined.extended !== undefined) printBase(examined.extended);
      printLine(`Package created: ${path}`);
    });
}

function printBase({ lock, newer }: PackageWithBase): void {
  const version = lock.appVersion === '' ? lock.operatorVersion : `${lock.appVersion}-${lock.operatorVersion}`;
  printLine(`Base: ${lock.operator} ${version}`);
  if (newer !== undefined) {
    printLine(`${LOCK_FILE} is behind: ${lock.operator} ${newer} exists. "--update-base" builds with it.`);
  }
}

async function pack(folder: string, examined: Examined, flags: CreateFlags): Promise<string> {
  const { loaded } = examined;
  if (loaded.scope.kind !== 'folder') throw new TerminalError(`${folder} is already packed`, 'InvalidArguments');
  const path = await targetOf(examined, flags);
  const archive = await archiveOf(loaded.scope.path, examined);
  await writeFile(path, archive);
  if (flags.attest === true) {
    const { provenance, sbom } = await attest(loaded, archive, productVersion);
    await writeFile(`${path}${PROVENANCE_SUFFIX}`, provenance);
    await writeFile(`${path}${SBOM_SUFFIX}`, sbom);
  }
  return path;
}

async function targetOf({ loaded }: Examined, flags: CreateFlags): Promise<string> {
  const destination = resolve(flags.destination.replace('~', homedir()));
  const isFolder = await stat(destination).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new TerminalError(`destination "${destination}" is not a proper directory`, 'InvalidArguments');
  const { name, operatorVersion, appVersion } = loaded.package.operator;
  const path = join(destination, packageFileName(name, operatorVersion, appVersion));
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists && flags.overwrite !== true)
    throw new TerminalError(`target file "${path}" already exists`, 'AlreadyExists');
  return path;
}

/** A package that extends another one is packed with its base in it, so that every client can install it. */
async function archiveOf(folder: string, { extended }: Examined): Promise<Uint8Array> {
  if (extended === undefined) return writePackageArchive(folder);
  const lock = writeBaseLock(extended.lock);
  await writeFile(join(folder, LOCK_FILE), lock);
  return writePackageArchive(folder, new Map([...extended.loaded.files, [LOCK_FILE, lock]]));
}
