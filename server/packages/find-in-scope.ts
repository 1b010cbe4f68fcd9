import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { relativeName } from '@/lib/tar/relative-name';
import { type LoadedPackage, loadFromArchive, loadPackage, type PackageScope } from './loaded-package';
import type { PackageReference, PackageSource } from './package-reference';

/** Loads the package at a URL. */
export type LoadUrl = (url: string, versions: Omit<PackageReference, 'name'>) => Promise<LoadedPackage>;

/** The sources in which references are looked up. */
export interface ResolveContext {
  readonly catalogue: PackageSource;
  /** Loads a package from a URL; absent where URLs are not accepted. */
  readonly loadUrl?: LoadUrl | undefined;
  /** A repository of the list, for `extends`; absent where there is no list. */
  readonly repositoryNamed?: ((name: string) => PackageSource | undefined) | undefined;
  /** The base of `./x` and `../x`; the working directory for command-line arguments. */
  readonly scope: PackageScope;
}

/** The package at a path of an archive or of the file system; undefined when there is none. */
export async function findInScope(name: string, scope: PackageScope): Promise<LoadedPackage | undefined> {
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

/** True for `./x` and `../x`. */
export function isRelative(name: string): boolean {
  return name.startsWith('./') || name.startsWith('../');
}
