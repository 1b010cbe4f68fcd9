import { access, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { packageFileName } from '@/lib/kudo/names';
import type { PackageProblem } from '@/lib/kudo/package/types';
import { type ParameterCheck, parseParameterChecks } from '@/lib/kudo/verify/parameter-checks';
import { type Verification, verifyPackage } from '@/lib/kudo/verify/verify';
import { attest, PROVENANCE_SUFFIX, SBOM_SUFFIX } from '@/server/packages/attest';
import { type LoadedPackage, loadArchive, loadPackage, PackageError } from '@/server/packages/loaded-package';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { writePackageArchive } from '@/server/packages/write-archive';
import { productVersion } from '@/server/runtime/root';
import { packageAddCommand } from './package-add';
import { packageDocsCommand } from './package-docs';
import { packageListCommand } from './package-list';
import { packageNewCommand } from './package-new';
import { packageKeysCommand, packageSignCommand } from './package-sign';
import { fromManifestsCommand } from './packages/from-manifests';
import { fromRgdCommand } from './packages/from-rgd';
import { pullCommand } from './pull';
import { pushCommand } from './push';
import type { HomeFlags } from './support/home';
import { formatOne, formatTable, readFormat } from './support/output';
import { fetchArgument, loadAnywhere, onlyArgument } from './support/packages';
import { printLine } from './support/session';
import { policyOfFlag } from './support/signing-keys';

/** `bravo package new|add|from-manifests|from-rgd|create|verify|list|docs|push|pull|sign|keys`. */
export function packageCommand(): Command {
  return new Command('package')
    .description('Create, extend, verify, pack, list, publish and sign packages')
    .addCommand(packageNewCommand())
    .addCommand(packageAddCommand())
    .addCommand(fromManifestsCommand())
    .addCommand(fromRgdCommand())
    .addCommand(createCommand())
    .addCommand(verifyCommand())
    .addCommand(packageListCommand())
    .addCommand(packageDocsCommand())
    .addCommand(pushCommand())
    .addCommand(pullCommand())
    .addCommand(packageSignCommand())
    .addCommand(packageKeysCommand());
}

const ONE_PACKAGE = 'expecting exactly one argument - directory of the operator or name of package';

interface CreateFlags {
  readonly destination: string;
  readonly overwrite?: boolean;
  readonly output?: string;
  readonly attest?: boolean;
}

function createCommand(): Command {
  return new Command('create')
    .description('Verify a package and pack it into a .tgz file')
    .argument('[folder...]')
    .option('-d, --destination <folder>', 'folder for the file', '.')
    .option('-w, --overwrite', 'overwrite an existing file')
    .option('-o, --output <format>', 'yaml or json')
    .option('--attest', 'write provenance and SBOM beside it: FILE.tgz.provenance.json, FILE.tgz.sbom.json')
    .action(async (words: string[], flags: CreateFlags) => {
      const folder = onlyArgument(words, ONE_PACKAGE);
      const { loaded, isFormatted } = await verify(folder, flags.output, undefined);
      const path = await pack(folder, loaded, flags);
      if (!isFormatted) printLine(`Package created: ${path}`);
    });
}

async function pack(folder: string, loaded: LoadedPackage, flags: CreateFlags): Promise<string> {
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
  const archive = await writePackageArchive(loaded.scope.path);
  await writeFile(path, archive);
  if (flags.attest === true) {
    const { provenance, sbom } = await attest(loaded, archive, productVersion);
    await writeFile(`${path}${PROVENANCE_SUFFIX}`, provenance);
    await writeFile(`${path}${SBOM_SUFFIX}`, sbom);
  }
  return path;
}

interface VerifyFlags extends HomeFlags {
  readonly output?: string;
  readonly paramChecks?: string;
  readonly key?: string[];
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Verify a package: a folder, a .tgz file, or the http, https or oci address of one')
    .argument('[package...]')
    .option('-o, --output <format>', 'yaml or json')
    .option('--param-checks <names>', 'further checks of parameters: display, hint, desc, type, hasgroup, groups, all')
    .option('--key <file...>', 'public keys, one of which must have signed the package')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<VerifyFlags>();
      const checks = flags.paramChecks === undefined ? undefined : parseParameterChecks(flags.paramChecks);
      const path = onlyArgument(words, ONE_PACKAGE);
      await verify(path, flags.output, checks, () =>
        flags.key === undefined ? loadAnywhere(path, flags) : loadSigned(path, flags.key, flags),
      );
    });
}

/** Verifies the package, prints the findings, and throws if there are errors. */
async function verify(
  path: string,
  output: string | undefined,
  checks: ReadonlySet<ParameterCheck> | undefined,
  load: () => Promise<LoadedPackage> = () => loadPackage(path),
): Promise<{ loaded: LoadedPackage; isFormatted: boolean }> {
  const format = readFormat(output);
  const { loaded, verification } = await examine(load, checks);
  if (format !== undefined) printLine(formatOne(asResult(verification), format));
  else printBlocks(verification);
  const { errors } = verification;
  if (errors.length > 0 || loaded === undefined) {
    throw new TerminalError(`found ${errors.length} package verification errors`, 'PackageInvalid');
  }
  return { loaded, isFormatted: format !== undefined };
}

async function examine(
  load: () => Promise<LoadedPackage>,
  checks: ReadonlySet<ParameterCheck> | undefined,
): Promise<{ loaded: LoadedPackage | undefined; verification: Verification }> {
  try {
    const loaded = await load();
    const options = checks === undefined ? {} : { checks };
    return { loaded, verification: verifyPackage(loaded.package, { before: loaded.warnings, ...options }) };
  } catch (error) {
    if (!(error instanceof PackageError)) throw new TerminalError(messageOf(error), 'PackageInvalid', { cause: error });
    return { loaded: undefined, verification: { errors: error.problems, warnings: [] } };
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

/** The archive that was checked is the one that is verified: a tag may mean another one a moment later. */
async function loadSigned(path: string, keys: readonly string[], flags: VerifyFlags): Promise<LoadedPackage> {
  const { archive, place, evidence } = await fetchArgument(path, flags);
  const signer = checkSignatures(archive, place, await evidence(), await policyOfFlag(keys));
  if (flags.output === undefined) printLine(`signed by key ${signer}`);
  return loadArchive(archive, place);
}
