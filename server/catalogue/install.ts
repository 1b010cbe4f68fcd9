import type { InstallRequest } from '@/lib/kudo/package/catalogue';
import type { Api } from '@/server/kube/api';
import { runtime } from '@/server/runtime/runtime';
import { findCataloguePackage } from './find-package';
import { type InstallReport, installPlaced } from './install-placed';

/**
 * Installs a package of the catalogue with the person's own permissions. The namespace is created if it does not exist; existing
 * objects are not changed. Secret values go into the Instance's Secret, which is deleted with it.
 *
 * @throws Refusal 404 without such a package, 422 with the invalid parameters; the errors of `install`
 */
export async function installFromCatalogue(
  wanted: { name: string; version: string },
  wish: InstallRequest,
  api: Api,
  signal: AbortSignal,
): Promise<InstallReport> {
  const { catalogue } = runtime();
  const { loaded } = await findCataloguePackage(catalogue, wanted);
  return installPlaced(api, { loaded, context: { catalogue, scope: loaded.scope }, wish, signal });
}
