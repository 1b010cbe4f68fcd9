import type { Clock } from '@/lib/clock/clock';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { isOciReference } from '@/lib/oci/reference';
import type { Download } from './download';
import type { OciClient } from './oci/oci-client';
import { OciRepository, registryPath } from './oci/oci-repository';
import type { PackageRepository } from './package-reference';
import { Repository } from './repository';
import type { SignaturePolicy } from './signing/check-signatures';
import { readPublicKey } from './signing/keys';

export interface RepositoryAccess {
  readonly clock: Clock;
  readonly download: Download;
  readonly registry: OciClient;
}

/** The repository at an address: in a registry for `oci://`, else an index with archives. @throws TerminalError `InvalidReference`, `KeyInvalid` */
export function openPackageRepository(source: RepositorySource, access: RepositoryAccess): PackageRepository {
  const { name, url, operators } = source;
  const policy = policyOf(source);
  if (!isOciReference(url))
    return new Repository({ name, url, policy, download: access.download, clock: access.clock });
  registryPath(url);
  return new OciRepository({ name, url, policy, operators, registry: access.registry });
}

/** The policy of a repository; undefined when it accepts packages without a signature. @throws TerminalError `KeyInvalid` */
export function policyOf({ name, signatureKeys }: RepositorySource): SignaturePolicy | undefined {
  if (signatureKeys === undefined) return undefined;
  const keys = signatureKeys.map((pem, at) => readPublicKey(pem, `${at + 1} of repository ${name}`));
  return { owner: `repository ${name}`, keys };
}
