import type { Clock } from '@/lib/clock/clock';
import { createDownload } from '@/server/packages/download';
import { guardedConnect } from '@/server/packages/guarded-connect';
import type { ReleaseSource } from '@/server/packages/package-reference';
import { Repository } from '@/server/packages/repository';
import { productVersion } from '@/server/runtime/root';

/** The repository at an address, `http:` or `https:`; its index is fetched once. */
export type OpenRepository = (url: string) => ReleaseSource;

/**
 * Repositories as the controller reads them: whoever may create a subscription chooses the address.
 *
 * @param allowLocal this machine may be one, for tests and the sandbox
 */
export function repositoryOpener({ clock, allowLocal }: { clock: Clock; allowLocal: boolean }): OpenRepository {
  const download = createDownload(`KUDO/0.19.0 bravo/${productVersion}`, { connect: guardedConnect(allowLocal) });
  return (url) => new Repository({ name: url, url, download, clock });
}
