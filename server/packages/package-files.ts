import type { PackageFiles } from '@/lib/kudo/package/types';
import type { LoadedPackage } from './loaded-package';
import { readPackageFolder } from './read-folder';

/** The YAML files of a package as its author wrote them, paths relative to its root. */
export async function packageFiles({ scope }: Pick<LoadedPackage, 'scope'>): Promise<PackageFiles> {
  if (scope.kind === 'folder') return readPackageFolder(scope.path);
  const prefix = scope.base === '' ? '' : `${scope.base}/`;
  const below = [...scope.files].filter(([path]) => path.startsWith(prefix));
  return new Map(below.map(([path, text]) => [path.slice(prefix.length), text]));
}
