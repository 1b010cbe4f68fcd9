import { messageOf, TerminalError } from '@/lib/errors/errors';
import { type RepositorySource, sourceOfAddress } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import { shownAddress } from './download';
import type { LoadedPackage } from './loaded-package';
import { loadOciPackage } from './oci/oci-repository';
import { policyOf, type RepositoryAccess } from './open-repository';
import type { PackageReference } from './package-reference';
import { loadArchiveAt } from './repository';

/**
 * A package at an `http:`, `https:` or `oci:` address. When the address is in one of the repositories, the policy of that repository is for it too.
 *
 * @throws TerminalError `SignatureRefused`, `InvalidReference`, `PackageNotFound` that names the address
 */
export async function loadAddress(
  url: string,
  access: RepositoryAccess & { readonly repositories: readonly RepositorySource[] },
  versions: Omit<PackageReference, 'name'>,
): Promise<LoadedPackage> {
  const source = sourceOfAddress(access.repositories, url);
  const policy = source === undefined ? undefined : policyOf(source);
  if (isOciReference(url)) return loadOciPackage(access.registry, url, policy, versions);
  try {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new TerminalError('packages are fetched from http, https and oci addresses', 'InvalidArguments');
    }
    return await loadArchiveAt(url, { download: access.download, clock: access.clock, policy });
  } catch (error) {
    if (error instanceof TerminalError && error.reason === 'SignatureRefused') throw error;
    throw new TerminalError(
      `resolver: unable to get reader from url ${shownAddress(url)}: ${messageOf(error)}`,
      'PackageNotFound',
      { cause: error },
    );
  }
}
