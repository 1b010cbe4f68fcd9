import type { Api } from '@/server/kube/api';
import { runtime } from '@/server/runtime/runtime';
import { findPackage } from './find-package';
import { type InstallReport, installPlaced } from './install-placed';
import type { InstallWish } from './preview';

/**
 * Installs a package of the catalogue with a person's own authority. The namespace is made when it is missing; what is
 * there already stays as it is. Secret values go into the Instance's Secret, which is deleted with it.
 *
 * @throws Refusal 404 without such a package, 422 with the parameters that are wrong; what `install` refuses
 */
export async function installFromCatalogue(
  wanted: { name: string; version: string },
  wish: InstallWish,
  api: Api,
  signal: AbortSignal,
): Promise<InstallReport> {
  const { catalogue } = runtime();
  const entry = await findPackage(catalogue, wanted);
  const { loaded } = entry;
  return installPlaced(api, { loaded, context: { catalogue, scope: loaded.scope }, wish, signal });
}
