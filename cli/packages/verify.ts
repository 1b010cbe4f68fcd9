import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { PackageProblem } from '@/lib/kudo/package/types';
import { type ParameterCheck, parseParameterChecks } from '@/lib/kudo/verify/parameter-checks';
import { type Verification, verifyPackage } from '@/lib/kudo/verify/verify';
import { type LoadedPackage, loadArchive, loadPackage, PackageError } from '@/server/packages/loaded-package';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { type BaseOptions, type PackageWithBase, withBase } from '@/server/packages/with-base';
import type { HomeFlags } from '../support/home';
import { formatOne, formatTable, readFormat } from '../support/output';
import { fetchArgument, loadAnywhere, onlyArgument, resolveContext } from '../support/packages';
import { printLine } from '../support/print-line';
import { policyOfFlag } from '../support/signing-keys';

export const ONE_PACKAGE = 'expecting exactly one argument - directory of the operator or name of package';

interface VerifyFlags extends HomeFlags {
  readonly output?: string;
  readonly paramChecks?: string;
  readonly key?: string[];
}

/** `bravo package verify REF`. */
export function verifyCommand(): Command {
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
      const load = () => (flags.key === undefined ? loadAnywhere(path, flags) : loadSigned(path, flags.key, flags));
      await verifyAndPrint(path, { output: flags.output, home: flags, checks, load });
    });
}

/** A package that was read; `loaded` has its base in it. */
export interface Examined {
  readonly loaded: LoadedPackage;
  readonly extended: PackageWithBase | undefined;
}

interface VerifySettings {
  readonly output: string | undefined;
  /** Where the list of repositories is. */
  readonly home: HomeFlags;
  readonly checks?: ReadonlySet<ParameterCheck> | undefined;
  readonly base?: BaseOptions;
  /** Reads the package; from a path of this machine by default. */
  readonly load?: () => Promise<LoadedPackage>;
}

/** Verifies the package, prints the findings. @throws TerminalError when there are errors */
export async function verifyAndPrint(
  path: string,
  settings: VerifySettings,
): Promise<{ examined: Examined; isFormatted: boolean }> {
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
  { checks, base, home, load = () => loadPackage(path) }: VerifySettings,
): Promise<{ examined: Examined | undefined; verification: Verification }> {
  try {
    const own = await load();
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

/** The archive that was checked is the one that is verified: a tag may mean another one a moment later. */
async function loadSigned(path: string, keys: readonly string[], flags: VerifyFlags): Promise<LoadedPackage> {
  const { archive, place, evidence } = await fetchArgument(path, flags);
  const signer = checkSignatures(archive, place, await evidence(), await policyOfFlag(keys));
  if (flags.output === undefined) printLine(`signed by key ${signer}`);
  return loadArchive(archive, place);
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
