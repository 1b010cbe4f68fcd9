import { lstat, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { packageRoot, parsePackage } from '@/lib/kudo/package/parse-package';
import type { OperatorPackage, PackageFiles, PackageProblem } from '@/lib/kudo/package/types';
import { readPackageArchive } from './read-archive';
import { readPackageFolder } from './read-folder';

/** The base of `./x` and `../x` in a package's KudoOperator tasks. */
export type PackageScope =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'archive'; readonly files: PackageFiles; readonly base: string };

/** A package and its source. */
export interface LoadedPackage {
  readonly package: OperatorPackage;
  readonly warnings: readonly PackageProblem[];
  readonly scope: PackageScope;
  /** Its files, relative to operator.yaml. */
  readonly files: PackageFiles;
  /** A path or a file name, for messages. */
  readonly place: string;
}

/** The files are not a valid package: `problems` has every problem with file and line. */
export class PackageError extends TerminalError {
  constructor(
    readonly problems: readonly PackageProblem[],
    place: string,
  ) {
    const [first] = problems;
    const where = first === undefined || first.line === 0 ? '' : ` (${first.path})`;
    super(
      `while parsing package files from ${place}: ${first?.message ?? 'the package is empty'}${where}`,
      'PackageInvalid',
    );
  }
}

/**
 * Reads a package from a folder or a `.tgz` file.
 *
 * @throws PackageError with every problem; TerminalError when it cannot be read at all
 */
export async function loadPackage(path: string): Promise<LoadedPackage> {
  if (path === '') throw new TerminalError('path must be specified', 'PackageNotFound');
  const absolute = resolve(path);
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) throw new TerminalError(`stat ${absolute}: no such file or directory`, 'PackageNotFound');
  if (!found.isDirectory()) return loadArchive(await readFile(absolute), absolute);
  // A folder that is not a package may be a whole disk: it is not walked.
  const files: PackageFiles = (await hasOperatorFile(absolute)) ? await readPackageFolder(absolute) : new Map();
  const hasFolder = packageRoot(files) !== files;
  const scope = { kind: 'folder', path: hasFolder ? resolve(absolute, 'operator') : absolute } as const;
  return loaded(files, { scope, place: absolute });
}

async function hasOperatorFile(folder: string): Promise<boolean> {
  for (const file of ['operator.yaml', 'operator/operator.yaml']) {
    if ((await lstat(resolve(folder, file)).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

/** Reads a package from the bytes of a `.tgz`. */
export async function loadArchive(archive: Uint8Array, place: string): Promise<LoadedPackage> {
  const files = await readPackageArchive(archive);
  const base = packageRoot(files) === files ? '' : 'operator';
  return loaded(files, { scope: { kind: 'archive', files, base }, place });
}

/** Reads a package from a folder of an unpacked archive. */
export function loadFromArchive(files: PackageFiles, base: string, place: string): LoadedPackage {
  const prefix = base === '' ? '' : `${base}/`;
  const below = new Map(
    [...files].filter(([name]) => name.startsWith(prefix)).map(([name, text]) => [name.slice(prefix.length), text]),
  );
  return loaded(below, { scope: { kind: 'archive', files, base }, place });
}

function loaded(files: PackageFiles, from: { scope: PackageScope; place: string }): LoadedPackage {
  const parsed = parsePackage(files, from.scope.kind === 'archive' ? `/${from.scope.base}` : from.place);
  if (!parsed.ok) throw new PackageError(parsed.problems, from.place);
  return { package: parsed.package, warnings: parsed.warnings, files: packageRoot(files), ...from };
}
