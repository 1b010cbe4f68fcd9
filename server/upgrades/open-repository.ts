import { TerminalError } from '@/lib/errors/errors';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import type { OperatorSubscriptionSpec } from '@/lib/kudo/upgrades/operator-subscription';
import type { Api } from '@/server/kube/api';
import type { LoadUrl } from '@/server/packages/find-in-scope';
import type { CredentialsFor } from '@/server/packages/oci/authorizer';
import type { ReleaseSource } from '@/server/packages/package-reference';
import {
  type GuardedAccess,
  loadGuarded,
  openFollowed,
  type RepositoryStore,
} from '@/server/repositories/guarded-repositories';
import { productVersion } from '@/server/runtime/root';
import { pullSecretCredentials } from './pull-secret';

/** Packages with what is said about their upgrades, and those that they name by an address. */
export interface UpgradeRepository extends ReleaseSource {
  readonly loadUrl?: LoadUrl;
}

/**
 * Opens a repository that was chosen by address, or by the name of a repository of the console; its index is read once.
 *
 * @throws TerminalError `InvalidReference`, `KeyInvalid`, `NotFound`
 */
export type OpenRepository = (
  source: RepositorySource,
  credentialsFor: CredentialsFor,
) => UpgradeRepository | Promise<UpgradeRepository>;

export interface RepositoryOpenerOptions extends Omit<GuardedAccess, 'userAgent' | 'credentialsFor'> {
  /** The repositories of the console; absent: addresses alone are followed. */
  readonly store?: RepositoryStore;
}

/** Repositories as the controller reads them: a person who may create a subscription chooses the address. */
export function repositoryOpener({ store, ...options }: RepositoryOpenerOptions): OpenRepository {
  return async (source, credentialsFor) => {
    const access = { ...options, credentialsFor, userAgent: `KUDO/0.19.0 bravo/${productVersion}` };
    const repository = await openFollowed(source, store, access);
    return {
      find: (reference) => repository.find(reference),
      releases: (operator) => repository.releases(operator),
      versions: async (name) => (await repository.versions?.(name)) ?? [],
      loadUrl: (url, versions) => loadGuarded(url, versions, store, access),
    };
  };
}

/** What a subscription follows. */
export interface SubscribedPlace {
  readonly namespace: string;
  readonly spec: OperatorSubscriptionSpec;
}

/**
 * The repository of a subscription. It is opened at the first question, so that a reference or a key that cannot be read is an answer like
 * any other.
 *
 * @param api whose permissions read the Secret of the subscription
 */
export function subscribedRepository(
  api: Pick<Api, 'get'>,
  { namespace, spec }: SubscribedPlace,
  open: OpenRepository,
): UpgradeRepository {
  const { repository = '', operator = '', signatureKeys, pullSecret } = spec;
  const source: RepositorySource = {
    name: repository,
    url: repository,
    operators: [operator],
    ...(signatureKeys === undefined ? {} : { signatureKeys }),
  };
  let opened: Promise<UpgradeRepository> | undefined;
  const use = (): Promise<UpgradeRepository> => {
    opened ??= (async () => open(source, pullSecretCredentials(api, namespace, pullSecret)))();
    return opened;
  };
  return {
    releases: async (name) => (await use()).releases(name),
    find: async (reference) => (await use()).find(reference),
    versions: async (name) => (await (await use()).versions?.(name)) ?? [],
    loadUrl: async (url, versions) => {
      const { loadUrl } = await use();
      if (loadUrl !== undefined) return loadUrl(url, versions);
      throw new TerminalError(`${url} is a URL, which this repository does not accept.`, 'PackageNotFound');
    },
  };
}
