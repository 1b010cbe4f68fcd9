import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { type LoadedPackage, loadFromArchive, loadPackage, type PackageScope } from './loaded-package';
import type { PackageReference, PackageSource } from './package-reference';
import { relativeName } from './read-archive';

/** Where references are looked up. */
export interface ResolveContext {
  readonly catalogue: PackageSource;
  /** Loads a package from an address; absent where addresses are not taken. */
  readonly loadUrl?: ((url: string) => Promise<LoadedPackage>) | undefined;
  /** For `./x` and `../x`; for a person's argument the working directory. */
  readonly scope: PackageScope;
}

/**
 * Finds a package: `./x`, `../x` and other paths in the scope, an address by `loadUrl`, a plain
 * name in the catalogue. A path that exists and cannot be read is an error; nothing else is tried then.
 */
export async function resolvePackage(reference: PackageReference, context: ResolveContext): Promise<LoadedPackage> {
  const { name } = reference;
  const isRelative = name.startsWith('./') || name.startsWith('../');
  const isPath = basename(name) !== name;
  if (isPath && context.scope.kind === 'archive') {
    const base = relativeName(isRelative ? `${context.scope.base}/${name}` : name);
    if (context.scope.files.has(`${base}/operator.yaml`)) return loadFromArchive(context.scope.files, base, `/${base}`);
  } else if (isPath && context.scope.kind === 'folder') {
    const path = isRelative ? join(context.scope.path, name) : resolve(name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() || (found?.isFile() && path.endsWith('.tgz'))) return loadPackage(path);
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(name)) {
    if (context.loadUrl !== undefined) return context.loadUrl(name);
    throw new TerminalError(`${name} is a URL. Download the file and pass its path.`, 'PackageNotFound');
  }
  if (isRelative || name.startsWith('/')) {
    const where = context.scope.kind === 'archive' ? 'in the archive' : 'as a folder or a .tgz file';
    throw new TerminalError(`no operator package found at ${name} ${where}`, 'PackageNotFound');
  }
  if (isPath) {
    const message = `no operator found for: ${name}, and no folder or .tgz file has that name`;
    throw new TerminalError(message, 'PackageNotFound');
  }
  return context.catalogue.find(reference);
}
