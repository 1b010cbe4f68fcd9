import { resolve } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { createDownload, type Download, shownAddress } from '@/server/packages/download';
import { type LoadedPackage, loadArchive } from '@/server/packages/loaded-package';
import type { PackageReference, PackageSource } from '@/server/packages/package-reference';
import { Repository } from '@/server/packages/repository';
import { type ResolveContext, resolvePackage } from '@/server/packages/resolve';
import { productVersion, projectRoot } from '@/server/runtime/root';
import type { HomeFlags } from './home';
import { COMMUNITY, DEFAULT_LIST, findRepository, type RepositoryEntry, readRepositories } from './repositories';

/** The packages that come with Bravo and those that were uploaded to the console of this data folder. */
export function openCatalogue(): PackageCatalogue {
  const dataDir = resolve(process.env.BRAVO_DATA || '.bravo');
  return new PackageCatalogue({
    bundledDir: resolve(projectRoot, 'operators'),
    uploadDir: resolve(dataDir, 'packages'),
  });
}

const PROXIES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/** Downloads through the proxy of the environment, if it names one. */
export function openDownload(): Download {
  const hasProxy = PROXIES.some((name) => (process.env[name] ?? '') !== '');
  return createDownload(`KUDO/0.19.0 bravo/${productVersion}`, hasProxy ? 'proxy' : 'direct');
}

/** A repository that is read over the network or from files of this machine. */
export function openRepository({ name, url }: RepositoryEntry): Repository {
  return new Repository({ name, url, download: openDownload(), clock: systemClock });
}

/** Selects a package, besides its name. */
export interface PackageFlags extends HomeFlags {
  readonly appVersion?: string;
  readonly operatorVersion?: string;
  readonly repo?: string;
}

/**
 * Where packages are looked up by name. `--repo NAME`: in that repository alone. Else in the context of the list of repositories
 * when that is one which somebody added, then among the packages that come with Bravo, then in KUDO's community repository
 * when that is the context or there is no list.
 *
 * @throws TerminalError when `--repo` names none
 */
export async function packageSource(flags: HomeFlags & { readonly repo?: string }): Promise<PackageSource> {
  const list = (await readRepositories(flags)) ?? DEFAULT_LIST;
  if ((flags.repo ?? '') !== '') {
    const named = findRepository(list, flags.repo ?? '');
    if (named !== undefined) return openRepository(named);
    const message = `could not build operator repository: unable to find repository for ${flags.repo}`;
    throw new TerminalError(message, 'RepositoryUnknown');
  }
  const catalogue = openCatalogue();
  const context = findRepository(list, list.context);
  if (context === undefined) return catalogue;
  const repository = openRepository(context);
  return context.url === COMMUNITY.url ? firstOf(catalogue, repository) : firstOf(repository, catalogue);
}

/** Asks the second for what the first does not have. */
function firstOf(first: PackageSource, second: PackageSource): PackageSource {
  return {
    async find(reference: PackageReference) {
      const missing: unknown[] = [];
      for (const source of [first, second]) {
        try {
          return await source.find(reference);
        } catch (error) {
          if (!isNotFound(error) && missing.length === 0) throw error;
          missing.push(error);
        }
      }
      const [why, other] = missing.map(messageOf);
      throw new TerminalError(why === other ? `${why}` : `${why}; ${other}`, 'PackageNotFound');
    },
    async versions(name: string) {
      const some = (await first.versions?.(name)) ?? [];
      return some.length > 0 ? some : ((await second.versions?.(name)) ?? []);
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof TerminalError && error.reason === 'PackageNotFound';
}

/** Finds the package that a person names on the command line, and where its dependencies are looked up. */
export async function findPackageArgument(
  name: string,
  flags: PackageFlags = {},
): Promise<{ loaded: LoadedPackage; context: ResolveContext }> {
  const { appVersion, operatorVersion } = flags;
  const context = await resolveContext(flags);
  const reference = name === '.' || name === '..' ? `${name}/` : name;
  return { loaded: await resolvePackage({ name: reference, appVersion, operatorVersion }, context), context };
}

/** Where packages, and the packages that they build on, are looked up. */
export async function resolveContext(flags: PackageFlags = {}): Promise<ResolveContext> {
  const list = (await readRepositories(flags)) ?? DEFAULT_LIST;
  return {
    catalogue: await packageSource(flags),
    scope: { kind: 'folder', path: process.cwd() },
    loadUrl,
    repositoryNamed: (name) => {
      const found = findRepository(list, name);
      return found === undefined ? undefined : openRepository(found);
    },
  };
}

/** A package at an `http:` or `https:` address. */
async function loadUrl(url: string): Promise<LoadedPackage> {
  try {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new TerminalError('packages are fetched from http and https addresses', 'InvalidArguments');
    }
    const bytes = await openDownload()(url, { clock: systemClock, maxBytes: limits.packageArchiveBytes });
    return await loadArchive(bytes, url);
  } catch (error) {
    throw new TerminalError(
      `resolver: unable to get reader from url ${shownAddress(url)}: ${messageOf(error)}`,
      'PackageNotFound',
      {
        cause: error,
      },
    );
  }
}

/** The only argument of a verb. @throws TerminalError with the sentence `otherwise` for none or several */
export function onlyArgument(words: readonly string[], otherwise: string): string {
  const [word] = words;
  if (word === undefined || words.length !== 1) throw new TerminalError(otherwise, 'InvalidArguments');
  return word;
}
