import type { PackageFiles } from '@/lib/kudo/package/types';
import { sortedFiles } from './draft-files';

/** A file that two versions of a package do not have in common. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
  /** Empty for an added file. */
  readonly before: string;
  /** Empty for a deleted file. */
  readonly after: string;
}

/** The files that differ, in the order of the tree. */
export function changedFiles(before: PackageFiles, after: PackageFiles): ChangedFile[] {
  const paths = [...sortedFiles(new Map([...before, ...after])).keys()];
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({
      path,
      change: !before.has(path) ? 'added' : !after.has(path) ? 'deleted' : 'changed',
      before: before.get(path) ?? '',
      after: after.get(path) ?? '',
    }));
}
