import type { Clock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { type RepositorySource, sourceOfAddress } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import type { Api } from '@/server/kube/api';
import { createDownload } from '@/server/packages/download';
import { guardedConnect } from '@/server/packages/guarded-connect';
import { loadAddress } from '@/server/packages/load-address';
import type { LoadedPackage } from '@/server/packages/loaded-package';
import { basicAuthorization, type CredentialsFor } from '@/server/packages/oci/authorizer';
import { OciClient } from '@/server/packages/oci/oci-client';
import { registryPath } from '@/server/packages/oci/oci-repository';
import { openPackageRepository, type RepositoryAccess } from '@/server/packages/open-repository';
import type { PackageReference, PackageRepository } from '@/server/packages/package-reference';
import { readPublicKey, signingKeyId } from '@/server/packages/signing/keys';
import { serverOf } from './repository-draft';
import { readCredentials, readRepositoryObjects, type StoredCredentials } from './repository-objects';

/** How addresses that people choose are connected to. */
export interface GuardedAccess {
  readonly clock: Clock;
  /** `NAME/VERSION`. */
  readonly userAgent: string;
  /** This machine may be one. */
  readonly allowLocal: boolean;
  /** Credentials of who asks, before those of the repository. */
  readonly credentialsFor?: CredentialsFor;
}

/** The repositories of the console, and with whose rights they are read. */
export interface RepositoryStore {
  readonly namespace: string;
  /** Lists them: which policy an address has. */
  readonly api: Api;
  /** Reads their credentials. */
  readonly secrets: Api;
}

type Credentials = Omit<StoredCredentials, 'version'> | undefined;

/** What a repository at an address that a person has chosen is read with. Credentials are sent to their own server only. */
export function guardedAccess(
  source: Pick<RepositorySource, 'url' | 'isPlainHttp'>,
  credentials: Credentials,
  { clock, userAgent, allowLocal, credentialsFor }: GuardedAccess,
): RepositoryAccess {
  const connect = guardedConnect(allowLocal);
  const isFor = (server: string): boolean => credentials !== undefined && credentials.server === server;
  const authorization =
    credentials === undefined || isOciReference(source.url) || !isFor(serverOf(source.url))
      ? undefined
      : { origin: credentials.server, value: basicAuthorization(credentials) };
  const plain = source.isPlainHttp === true ? registryPath(source.url).registry : undefined;
  return {
    clock,
    download: createDownload(userAgent, { connect, authorization }),
    registry: new OciClient({
      ...{ clock, userAgent, connect },
      credentialsFor: async (registry) =>
        (await credentialsFor?.(registry)) ?? (isFor(registry) ? credentials : undefined),
      isPlainHttp: (registry) => registry === plain,
    }),
  };
}

/**
 * The repository that a name or an address means. The policy and the credentials of a repository of the console are those of each address in it
 * too, so that an address is no way around a signature; keys of who follows it narrow the policy.
 *
 * @param wanted `url` is an address, or the name of a repository of the console
 * @throws TerminalError `NotFound` without a repository of that name; the errors of Api.list and Api.get
 */
export async function openFollowed(
  wanted: RepositorySource,
  store: RepositoryStore | undefined,
  access: GuardedAccess,
): Promise<PackageRepository> {
  const { sources, credentialsOf } = await readStore(store);
  const isAddress = wanted.url.includes('://');
  const found = isAddress ? sourceOfAddress(sources, wanted.url) : sources.find(({ name }) => name === wanted.url);
  if (found === undefined && !isAddress) {
    const where = store === undefined ? '' : ` in namespace ${store.namespace}`;
    throw new TerminalError(
      `There is no repository ${wanted.url}${where}. Add it on the page Repositories, or write an address.`,
      'NotFound',
    );
  }
  const { name, url, signatureKeys: _, ...others } = { ...found, ...wanted, name: found?.name ?? wanted.name };
  const keys = narrowed(found?.signatureKeys, wanted.signatureKeys);
  const source: RepositorySource = {
    ...others,
    ...{ name, url: isAddress ? url : (found?.url ?? url) },
    ...(keys === undefined ? {} : { signatureKeys: keys }),
  };
  return openPackageRepository(source, guardedAccess(source, await credentialsOf(found), access));
}

/** The keys that both accept; no key when there is none, so that nothing is accepted. */
function narrowed(
  required: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (required === undefined || wanted === undefined) return required ?? wanted;
  const idOf = (pem: string): string => signingKeyId(readPublicKey(pem, 'of the subscription'));
  const ids = new Set(wanted.map(idOf));
  return required.filter((pem) => ids.has(idOf(pem)));
}

/** The package at an address, with the policy and the credentials of the repository that the address is in. @throws TerminalError as loadAddress does */
export async function loadGuarded(
  url: string,
  versions: Omit<PackageReference, 'name'>,
  store: RepositoryStore | undefined,
  access: GuardedAccess,
): Promise<LoadedPackage> {
  const { sources, credentialsOf } = await readStore(store);
  const found = sourceOfAddress(sources, url);
  const opened = guardedAccess(found ?? { url }, await credentialsOf(found), access);
  return loadAddress(url, { ...opened, repositories: sources }, versions);
}

async function readStore(store: RepositoryStore | undefined) {
  const stored = store === undefined ? [] : await readRepositoryObjects(store.api, store.namespace);
  const sources = stored.map(({ source }) => source);
  const credentialsOf = async (source: RepositorySource | undefined): Promise<Credentials> => {
    const found = stored.find((each) => each.source === source);
    if (store === undefined || found?.hasCredentials !== true) return undefined;
    return readCredentials(store.secrets, store.namespace, found.source.name);
  };
  return { sources, credentialsOf };
}
