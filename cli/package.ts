import { access, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { LOCK_FILE, writeBaseLock } from '@/lib/kudo/extends/lock';
import { packageFileName } from '@/lib/kudo/names';
import type { PackageProblem } from '@/lib/kudo/package/types';
import { type ParameterCheck, parseParameterChecks } from '@/lib/kudo/verify/parameter-checks';
import { type Verification, verifyPackage } from '@/lib/kudo/verify/verify';
import { type LoadedPackage, loadPackage, PackageError } from '@/server/packages/loaded-package';
import { type BaseOptions, type PackageWithBase, withBase } from '@/server/packages/with-base';
import { writePackageArchive } from '@/server/packages/write-archive';
import { packageAddCommand } from './package-add';
import { packageListCommand } from './package-list';
import { packageNewCommand } from './package-new';
import { fromChartCommand } from './packages/from-chart';
import { fromManifestsCommand } from './packages/from-manifests';
import type { HomeFlags } from './support/home';
import { formatOne, formatTable, readFormat } from './support/output';
import { onlyArgument, resolveContext } from './support/packages';
import { printLine } from './support/print-line';

/** `bravo package new|add|from-manifests|from-chart|create|verify|list`. */
export function packageCommand(): Command {
  return new Command('package')
    .description('Create, extend, verify, pack and list packages')
    .addCommand(packageNewCommand())
    .addCommand(packageAddCommand())
    .addCommand(fromManifestsCommand())
    .addCommand(fromChartCommand())
    .addCommand(createCommand())
    .addCommand(verifyCommand())
    .addCommand(packageListCommand());
}

const ONE_PACKAGE = 'expecting exactly one argument - directory of the operator or name of package';

interface CreateFlags extends HomeFlags {
  readonly destination: string;
  readonly overwrite?: boolean;
  readonly output?: string;
  readonly updateBase?: boolean;
}

function createCommand(): Command {
  return new Command('create')
    .description('Verify a package and pack it into a .tgz file')
    .argument('[folder...]')
    .option('-d, --destination <folder>', 'folder for the file', '.')
    .option('-w, --overwrite', 'overwrite an existing file')
    .option('-o, --output <format>', 'yaml or json')
    .option('--update-base', 'build with the newest version of the base that "extends" allows')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<CreateFlags>();
      const folder = onlyArgument(words, ONE_PACKAGE);
      const base = { updatesBase: flags.updateBase === true };
      const { examined, isFormatted } = await verify(folder, { output: flags.output, home: flags, base });
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

/** A package that extends another one is packed with its base in it, so that every client can install it. */
async function pack(folder: string, { loaded, extended }: Examined, flags: CreateFlags): Promise<string> {
  if (loaded.scope.kind !== 'folder') throw new TerminalError(`${folder} is already packed`, 'InvalidArguments');
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
  if (extended === undefined) {
    await writeFile(path, await writePackageArchive(loaded.scope.path));
    return path;
  }
  const lock = writeBaseLock(extended.lock);
  await writeFile(join(loaded.scope.path, LOCK_FILE), lock);
  const flattened = new Map([...extended.loaded.files, [LOCK_FILE, lock]]);
  await writeFile(path, await writePackageArchive(loaded.scope.path, flattened));
  return path;
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Verify a package: a folder or a .tgz file')
    .argument('[package...]')
    .option('-o, --output <format>', 'yaml or json')
    .option('--param-checks <names>', 'further checks of parameters: display, hint, desc, type, hasgroup, groups, all')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<HomeFlags & { output?: string; paramChecks?: string }>();
      const checks = flags.paramChecks === undefined ? undefined : parseParameterChecks(flags.paramChecks);
      const path = onlyArgument(words, ONE_PACKAGE);
      await verify(path, { output: flags.output, home: flags, checks });
    });
}

/** A package that was read; `loaded` has its base in it. */
interface Examined {
  readonly loaded: LoadedPackage;
  readonly extended: PackageWithBase | undefined;
}

interface VerifySettings {
  readonly output: string | undefined;
  /** Where the list of repositories is. */
  readonly home: HomeFlags;
  readonly checks?: ReadonlySet<ParameterCheck> | undefined;
  readonly base?: BaseOptions;
}

/** Verifies the package, prints the findings, and throws if there are errors. */
async function verify(path: string, settings: VerifySettings): Promise<{ examined: Examined; isFormatted: boolean }> {
  const format = readFormat(settings.output);
  const { examined, verification } = await examine(path, settings);
  if (format !== undefined) printLine(formatOne(asResult(verification), format));
  else printBlocks(verification);
  const { errors } = verification;
  if (errors.length > 0 || examined === undefined) {
    throw new TerminalError(`found ${errors.length} package verification errors`, 'PackageInvalid');
  }
  return { examined, isFormatted: format !== undefined };
}

async function examine(
  path: string,
  { checks, base, home }: VerifySettings,
): Promise<{ examined: Examined | undefined; verification: Verification }> {
  try {
    const own = await loadPackage(path);
    const isExtending = own.package.operator.base !== undefined;
    const extended = isExtending ? await withBase(own, await resolveContext(home), base) : undefined;
    const loaded = extended?.loaded ?? own;
    const options = checks === undefined ? {} : { checks };
    const verification = verifyPackage(loaded.package, { before: loaded.warnings, ...options });
    return { examined: { loaded, extended }, verification };
  } catch (error) {
    if (!(error instanceof PackageError)) throw new TerminalError(messageOf(error), 'PackageInvalid', { cause: error });
    return { examined: undefined, verification: { errors: error.problems, warnings: [] } };
  }
}

/** KUDO's fields, in its order. */
function asResult({ errors, warnings }: Verification): object {
  const text = ({ message }: PackageProblem): string => message;
  return { errors: errors.map(text), warnings: warnings.map(text), valid: errors.length === 0 };
}

/** KUDO's tables go to standard output; the file and line of each problem go to standard error, as compilers print them. */
function printBlocks({ errors, warnings }: Verification): void {
  for (const [title, problems] of [
    ['Warnings', warnings],
    ['Errors', errors],
  ] as const) {
    if (problems.length > 0) printLine(formatTable([[title], ...problems.map(({ message }) => [message])]));
  }
  if (errors.length === 0) printLine('package is valid');
  for (const { path, line, message } of [...warnings, ...errors]) {
    if (line > 0) process.stderr.write(`${path}: ${message}\n`);
  }
}
