import { basename } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { findInScope, isRelative, type ResolveContext } from './find-in-scope';
import type { LoadedPackage } from './loaded-package';
import type { PackageReference } from './package-reference';
import { withBase } from './with-base';

export type { ResolveContext } from './find-in-scope';

/**
 * Finds a package: `./x`, `../x` and other paths in the scope, a URL by `loadUrl`, a plain
 * name in the catalogue. A package that extends another one has its base in it. A path that exists but cannot be read is an error; no other source is tried.
 */
export async function resolvePackage(reference: PackageReference, context: ResolveContext): Promise<LoadedPackage> {
  const found = await findPackage(reference, context);
  return (await withBase(found, context))?.loaded ?? found;
}

async function findPackage(reference: PackageReference, context: ResolveContext): Promise<LoadedPackage> {
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
