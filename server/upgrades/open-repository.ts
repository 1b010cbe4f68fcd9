import type { Clock } from '@/lib/clock/clock';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import type { OperatorSubscriptionSpec } from '@/lib/kudo/upgrades/operator-subscription';
import type { Api } from '@/server/kube/api';
import { createDownload } from '@/server/packages/download';
import { guardedConnect } from '@/server/packages/guarded-connect';
import type { CredentialsFor } from '@/server/packages/oci/authorizer';
import { OciClient } from '@/server/packages/oci/oci-client';
import { openPackageRepository } from '@/server/packages/open-repository';
import type { ReleaseSource } from '@/server/packages/package-reference';
import { productVersion } from '@/server/runtime/root';
import { pullSecretCredentials } from './pull-secret';

/**
 * Opens a repository that was chosen by address; its index is read once.
 *
 * @throws TerminalError `InvalidReference`, `KeyInvalid`
 */
export type OpenRepository = (source: RepositorySource, credentialsFor: CredentialsFor) => ReleaseSource;

/**
 * Repositories as the controller reads them: whoever may create a subscription chooses the address.
 *
 * @param allowLocal this machine may be one, for tests and the sandbox
 */
export function repositoryOpener({ clock, allowLocal }: { clock: Clock; allowLocal: boolean }): OpenRepository {
  const connect = guardedConnect(allowLocal);
  const download = createDownload(`KUDO/0.19.0 bravo/${productVersion}`, { connect });
  const userAgent = `bravo/${productVersion}`;
  return (source, credentialsFor) =>
    openPackageRepository(source, {
      clock,
      download,
      registry: new OciClient({ clock, userAgent, connect, credentialsFor }),
    });
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
): ReleaseSource {
  const { repository = '', operator = '', signatureKeys, pullSecret } = spec;
  const source: RepositorySource = {
    name: repository,
    url: repository,
    operators: [operator],
    ...(signatureKeys === undefined ? {} : { signatureKeys }),
  };
  let opened: ReleaseSource | undefined;
  const use = (): ReleaseSource => {
    opened ??= open(source, pullSecretCredentials(api, namespace, pullSecret));
    return opened;
  };
  return { releases: async (name) => use().releases(name), find: async (reference) => use().find(reference) };
}
