import { formatTime } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import type { IndexEntry } from '@/lib/kudo/repository/index-file';
import type { RepositoryContent, RepositoryInfo, RepositoryListing } from '@/lib/kudo/repository/repository-info';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import { sessionIn } from '@/server/auth/session';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { openPackageRepository } from '@/server/packages/open-repository';
import type { PackageRepository } from '@/server/packages/package-reference';
import { runtime } from '@/server/runtime/runtime';
import { type GuardedAccess, guardedAccess, type RepositoryStore } from './guarded-repositories';
import {
  readCredentials,
  readRepositoryObjects,
  type StoredCredentials,
  type StoredRepository,
} from './repository-objects';

/** The person in the home cluster, and where repositories are stored. */
export interface RepositoryPlace {
  readonly api: Api;
  readonly namespace: string;
}

/** Repositories are those of the console, whatever cluster the page shows. */
export async function repositoryPlace(request: Request): Promise<RepositoryPlace> {
  const { clusters } = runtime();
  const { api } = await sessionIn(request, clusters.home.name);
  return { api, namespace: clusters.namespace };
}

/** All repositories, as this person may see them. @throws the errors of Api.list */
export async function listRepositories({ api, namespace }: RepositoryPlace): Promise<RepositoryListing> {
  const stored = await readRepositoryObjects(api, namespace);
  return { namespace, repositories: stored.map(infoOf) };
}

function infoOf({ source, hasCredentials }: StoredRepository): RepositoryInfo {
  const { name, url, signatureKeys, operators = [], isPlainHttp = false } = source;
  const kind = isOciReference(url) ? 'oci' : 'http';
  const keys = signatureKeys === undefined ? {} : { signatureKeys };
  return { name, url, kind, operators, isPlainHttp, hasCredentials, ...keys };
}

/** The repository of that name. @throws Refusal 404 */
export async function storedRepository({ api, namespace }: RepositoryPlace, name: string): Promise<StoredRepository> {
  const found = (await readRepositoryObjects(api, namespace)).find(({ source }) => source.name === name);
  if (found !== undefined) return found;
  throw new Refusal(404, 'NotFound', `There is no repository ${name} in namespace ${namespace}.`);
}

/** A repository that can be asked, and what it is known by in the cache. */
export interface OpenedRepository {
  readonly source: RepositorySource;
  readonly repository: PackageRepository;
  readonly version: string;
}

/**
 * Opens a repository with its credentials, which the person must be allowed to read.
 *
 * @throws Refusal 404; the errors of Api.get
 */
export async function openStored(place: RepositoryPlace, name: string): Promise<OpenedRepository> {
  const stored = await storedRepository(place, name);
  const { source, hasCredentials } = stored;
  const credentials = hasCredentials ? await readCredentials(place.api, place.namespace, name) : undefined;
  const version = `${place.namespace}/${stored.version}/${credentials?.version ?? ''}`;
  return { source, version, repository: openSource(source, credentials) };
}

/** A repository at an address that a person has chosen. Credentials are sent to their own server only. @throws TerminalError */
export function openSource(
  source: RepositorySource,
  credentials: Omit<StoredCredentials, 'version'> | undefined,
): PackageRepository {
  return openPackageRepository(source, guardedAccess(source, credentials, consoleAccess()));
}

/** How this console connects to addresses of people. Without a sign-in it is for one person, on their own machine. */
export function consoleAccess(): GuardedAccess {
  const { clock, version, signIn } = runtime();
  return { clock, userAgent: `bravo/${version}`, allowLocal: signIn === undefined };
}

/**
 * The repositories of the console for what a person does with addresses. Which policy an address has is looked up with the console's own rights, since
 * who may not see a policy is bound by it too; credentials are read with those of the person.
 */
export async function consoleStore(request: Request): Promise<RepositoryStore> {
  const { api: secrets, namespace } = await repositoryPlace(request);
  return { namespace, api: runtime().clusters.home.api, secrets };
}

const contents = new Map<string, { readonly content: RepositoryContent; readonly atMs: number }>();
const KEPT_MS = 300_000;
const KEPT = 50;

/** What a repository has; what was read within five minutes is read again only when the person wants it. */
export async function readContent(
  place: RepositoryPlace,
  name: string,
  isRefreshed: boolean,
): Promise<RepositoryContent> {
  const { repository, version } = await openStored(place, name);
  const { clock } = runtime();
  const known = contents.get(version);
  if (known !== undefined && !isRefreshed && clock.now() - known.atMs < KEPT_MS) return known.content;
  const content = await contentOf(repository, formatTime(clock.now()));
  contents.delete(version);
  contents.set(version, { content, atMs: clock.now() });
  for (const [oldest] of contents) {
    if (contents.size <= KEPT) break;
    contents.delete(oldest);
  }
  return content;
}

async function contentOf(repository: PackageRepository, refreshedAt: string): Promise<RepositoryContent> {
  try {
    const { entries } = await repository.index();
    return {
      refreshedAt,
      versions: [...entries.values()]
        .flat()
        .filter(({ removed }) => !removed)
        .map(versionOf),
    };
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return { refreshedAt, problem: messageOf(error), versions: [] };
  }
}

function versionOf({ name, operatorVersion, appVersion, description = '' }: IndexEntry) {
  return { name, operatorVersion, appVersion, description };
}
