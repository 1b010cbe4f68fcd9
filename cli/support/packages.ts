import { resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { PackageCatalogue } from '@/server/packages/catalogue';
import type { LoadedPackage } from '@/server/packages/loaded-package';
import { type ResolveContext, resolvePackage } from '@/server/packages/resolve';
import { projectRoot } from '@/server/runtime/root';

/** Packages by name are those that come with Bravo and those that were uploaded to the console of this data folder. */
export function openCatalogue(): PackageCatalogue {
  const dataDir = resolve(process.env.BRAVO_DATA || '.bravo');
  return new PackageCatalogue({
    bundledDir: resolve(projectRoot, 'operators'),
    uploadDir: resolve(dataDir, 'packages'),
  });
}

export interface VersionFlags {
  readonly appVersion?: string;
  readonly operatorVersion?: string;
}

/** Finds the package that a person names on the command line, and where its dependencies are looked up. */
export async function findPackage(
  name: string,
  versions: VersionFlags = {},
): Promise<{ loaded: LoadedPackage; context: ResolveContext }> {
  const context: ResolveContext = { catalogue: openCatalogue(), scope: { kind: 'folder', path: process.cwd() } };
  const reference = name === '.' || name === '..' ? `${name}/` : name;
  return { loaded: await resolvePackage({ name: reference, ...versions }, context), context };
}

/** The one argument of a verb, or its sentence. */
export function onlyArgument(words: readonly string[], otherwise: string): string {
  const [word] = words;
  if (word === undefined || words.length !== 1) throw new TerminalError(otherwise, 'InvalidArguments');
  return word;
}
