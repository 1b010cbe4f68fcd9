import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { createDownload, type Download } from '@/server/packages/download';
import { loadAddress } from '@/server/packages/load-address';
import { type LoadedPackage, loadPackage } from '@/server/packages/loaded-package';
import { dockerCredentials } from '@/server/packages/oci/docker-credentials';
import { OciClient } from '@/server/packages/oci/oci-client';
import { fetchOciArchive, registryPath } from '@/server/packages/oci/oci-repository';
import { openPackageRepository } from '@/server/packages/open-repository';
import type {
  FetchedArchive,
  PackageReference,
  PackageRepository,
  ReleaseSource,
} from '@/server/packages/package-reference';
import { fetchArchiveAt } from '@/server/packages/repository';
import { type ResolveContext, resolvePackage } from '@/server/packages/resolve';
import { productVersion, projectRoot } from '@/server/runtime/root';
import type { HomeFlags } from './home';
import { COMMUNITY, DEFAULT_LIST, findRepository, readRepositories } from './repositories';

/** The packages that come with Bravo and those that were uploaded to the console of this data folder. */
export function openCatalogue(): PackageCatalogue {
  const dataDir = resolve(process.env.BRAVO_DATA || '.bravo');
  return new PackageCatalogue({
    bundledDir: resolve(projectRoot, 'operators'),
    uploadDir: resolve(dataDir, 'packages'),
  });
}

const PROXIES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

const userAgent = `KUDO/0.19.0 bravo/${productVersion}`;

function proxyRoute(): 'proxy' | 'direct' {
  return PROXIES.some((name) => (process.env[name] ?? '') !== '') ? 'proxy' : 'direct';
}

/** Downloads through the proxy of the environment, if it names one. */
export function openDownload(): Download {
  return createDownload(userAgent, proxyRoute());
}

/** Registries with the credentials of `docker login`. `plain`: the repositories whose registries are asked over http. */
export function openRegistry(plain: readonly RepositorySource[] = []): OciClient {
  const hosts = new Set(
    plain.flatMap(({ url, isPlainHttp }) => (isPlainHttp === true ? [registryPath(url).registry] : [])),
  );
  return new OciClient({
    clock: systemClock,
    userAgent,
    route: proxyRoute(),
    credentialsFor: dockerCredentials({
      folder: process.env.DOCKER_CONFIG || join(homedir(), '.docker'),
      clock: systemClock,
      env: process.env,
    }),
    isPlainHttp: (registry) => hosts.has(registry),
  });
}

/** A repository that is read over the network, or from files of this machine. */
export function openRepository(source: RepositorySource): PackageRepository {
  return openPackageRepository(source, {
    download: openDownload(),
    registry: openRegistry([source]),
    clock: systemClock,
  });
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
export async function packageSource(flags: HomeFlags & { readonly repo?: string }): Promise<ReleaseSource> {
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
function firstOf(first: ReleaseSource, second: ReleaseSource): ReleaseSource {
  return {
    async releases(operator: string) {
      const found = await first.releases(operator);
      return found.length > 0 ? found : second.releases(operator);
    },
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
    loadUrl: (url, versions) => loadAddress(url, addressAccess(list.repositories), versions),
    repositoryNamed: (name) => {
      const found = findRepository(list, name);
      return found === undefined ? undefined : openRepository(found);
    },
  };
}

function addressAccess(repositories: readonly RepositorySource[]) {
  return { clock: systemClock, download: openDownload(), registry: openRegistry(repositories), repositories };
}

/** The package at a path of this machine, or at an address. */
export async function loadAnywhere(path: string, flags: HomeFlags): Promise<LoadedPackage> {
  if (!isAddress(path)) return loadPackage(path);
  const { repositories } = (await readRepositories(flags)) ?? DEFAULT_LIST;
  return loadAddress(path, addressAccess(repositories), {});
}

/** The archive of a `.tgz` file or at an address, with its signatures. */
export async function fetchArgument(path: string, flags: HomeFlags): Promise<FetchedArchive> {
  const { repositories } = (await readRepositories(flags)) ?? DEFAULT_LIST;
  if (isOciReference(path)) return fetchOciArchive(openRegistry(repositories), path);
  if (!isAddress(path) && !path.endsWith('.tgz')) {
    throw new TerminalError(
      `${path} is a folder. Only archives are signed: bravo package create, then sign.`,
      'PackageInvalid',
    );
  }
  const url = isAddress(path) ? path : pathToFileURL(resolve(path)).href;
  return fetchArchiveAt(url, { download: openDownload(), clock: systemClock });
}

function isAddress(path: string): boolean {
  return /^(?:https?|oci):\/\//i.test(path);
}

/** The only argument of a verb. @throws TerminalError with the sentence `otherwise` for none or several */
export function onlyArgument(words: readonly string[], otherwise: string): string {
  const [word] = words;
  if (word === undefined || words.length !== 1) throw new TerminalError(otherwise, 'InvalidArguments');
  return word;
}
