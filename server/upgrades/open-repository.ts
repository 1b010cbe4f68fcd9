import type { LoadUrl } from '@/server/packages/find-in-scope';
import type { ReleaseSource } from '@/server/packages/package-reference';
import {
  type GuardedAccess,
  loadGuarded,
  openNamed,
  type RepositoryStore,
} from '@/server/repositories/guarded-repositories';
import { productVersion } from '@/server/runtime/root';

/** Packages with what is said about their upgrades, and what these name by an address. */
export interface UpgradeRepository extends ReleaseSource {
  readonly loadUrl?: LoadUrl;
}

/** The repository that a subscription names, or the one at an `http:`, `https:` or `oci:` address. It is opened when it is asked, and listed once. */
export type OpenRepository = (repository: string) => UpgradeRepository;

/** Repositories as the controller reads them: whoever may create a subscription chooses the address. */
export function repositoryOpener(
  store: RepositoryStore,
  { clock, allowLocal }: Omit<GuardedAccess, 'userAgent'>,
): OpenRepository {
  const access = { clock, allowLocal, userAgent: `KUDO/0.19.0 bravo/${productVersion}` };
  return (repository) => {
    let opened: ReturnType<typeof openNamed> | undefined;
    const open = () => {
      opened ??= openNamed(repository, store, access);
      return opened;
    };
    return {
      find: async (reference) => (await open()).find(reference),
      releases: async (operator) => (await open()).releases(operator),
      versions: async (name) => (await (await open()).versions?.(name)) ?? [],
      loadUrl: (url, versions) => loadGuarded(url, versions, store, access),
    };
  };
}
