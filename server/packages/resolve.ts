import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { relativeName } from '@/lib/tar/relative-name';
import { type LoadedPackage, loadFromArchive, loadPackage, type PackageScope } from './loaded-package';
import type { PackageReference, PackageSource } from './package-reference';

/** The sources in which references are looked up. */
export interface ResolveContext {
  readonly catalogue: PackageSource;
  /** Loads a package from a URL; absent where URLs are not accepted. */
  readonly loadUrl?: ((url: string, versions: Omit<PackageReference, 'name'>) => Promise<LoadedPackage>) | undefined;
  /** The base of `./x` and `../x`; the working directory for command-line arguments. */
  readonly scope: PackageScope;
}

/**
 * Finds a package: `./x`, `../x` and other paths in the scope, a URL by `loadUrl`, a plain
 * name in the catalogue. A path that exists but cannot be read is an error; no other source is tried.
 */
export async function resolvePackage(reference: PackageReference, context: ResolveContext): Promise<LoadedPackage> {
  const { name } = reference;
  const isPath = basename(name) !== name;
  const found = isPath ? await findInScope(name, context.scope) : undefined;
  if (found !== undefined) return found;
  if (/^[a-z][a-z0-9+.-]*:/i.test(name)) {
    if (context.loadUrl !== undefined) return context.loadUrl(name, reference);
    throw new TerminalError(`${name} is a URL; download it and pass the file.`, 'PackageNotFound');
  }
  if (isRelative(name) || name.startsWith('/')) {
    const where = context.scope.kind === 'archive' ? 'in the archive' : 'as a folder or a .tgz file';
    throw new TerminalError(`no operator package found at ${name} ${where}`, 'PackageNotFound');
  }
  if (isPath) {
    const message = `no operator found for: ${name}, and no folder or .tgz file has that name`;
    throw new TerminalError(message, 'PackageNotFound');
  }
  return context.catalogue.find(reference);
}

/** The package at a path of an archive or of the file system; undefined when there is none. */
async function findInScope(name: string, scope: PackageScope): Promise<LoadedPackage | undefined> {
  if (scope.kind === 'archive') {
    const base = relativeName(isRelative(name) ? `${scope.base}/${name}` : name);
    return scope.files.has(`${base}/operator.yaml`) ? loadFromArchive(scope.files, base, `/${base}`) : undefined;
  }
  if (scope.kind !== 'folder') return undefined;
  const path = isRelative(name) ? join(scope.path, name) : resolve(name);
  const found = await stat(path).catch(() => undefined);
  const isPackage = found?.isDirectory() || (found?.isFile() && path.endsWith('.tgz'));
  return isPackage ? loadPackage(path) : undefined;
}

function isRelative(name: string): boolean {
  return name.startsWith('./') || name.startsWith('../');
}
