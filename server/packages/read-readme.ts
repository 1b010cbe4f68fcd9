import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { limits } from '@/lib/limits/limits';
import type { LoadedPackage } from './loaded-package';

/**
 * The README.md of a package; undefined when it has none, or a very large one. Beside a folder `operator/` or of a version, as
 * repositories of operators have them, that of the folder above counts.
 */
export async function readReadme({ scope }: Pick<LoadedPackage, 'scope'>): Promise<string | undefined> {
  if (scope.kind === 'archive')
    return scope.files.get(`${scope.base === '' ? '' : `${scope.base}/`}README.md`) ?? scope.files.get('README.md');
  const above = /^(?:operator|v?\d.*)$/.test(basename(scope.path)) ? [dirname(scope.path)] : [];
  for (const folder of [scope.path, ...above]) {
    const path = join(folder, 'README.md');
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true && found.size <= limits.readmeBytes) return readFile(path, 'utf8');
  }
  return undefined;
}
