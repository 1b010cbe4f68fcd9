import { parsePackage } from '@/lib/kudo/package/parse-package';
import type { PackageFiles } from '@/lib/kudo/package/types';
import type { LoadedPackage } from '@/server/packages/loaded-package';
import { pondFiles } from './pond-files';

/** The package `pond`, which brings the kinds Pond (an Instance), Feed (a run) and Drain (a destructive run). */
export function pondWithKinds(version = '0.1.0'): LoadedPackage {
  return packageOfFiles(pondFiles(version));
}

/** The package of these files, as if it had come out of an archive. */
export function packageOfFiles(files: PackageFiles): LoadedPackage {
  const parsed = parsePackage(files);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
  const scope = { kind: 'archive', files, base: '' } as const;
  return { package: parsed.package, files, warnings: parsed.warnings, scope, place: parsed.package.operator.name };
}
