import type { InstallRequest } from '@/lib/kudo/catalogue';
import { parameterProblems } from '@/lib/kudo/parameters';
import { problemOf, Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { type InstallStep, install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { runtime } from '@/server/runtime/runtime';
import { findCataloguePackage } from './find-package';

/** What an install created or found, in its order. */
export interface InstallReport {
  readonly namespace: string;
  readonly instance: string;
  readonly steps: readonly InstallStep[];
}

/**
 * Installs a package of the catalogue with a person's own authority. The namespace is made when it is missing; what is
 * there already stays as it is.
 *
 * @throws Refusal 404 without such a package, 422 with the parameters that are wrong; what `install` refuses
 */
export async function installFromCatalogue(
  wanted: { name: string; version: string },
  wish: InstallRequest,
  api: Api,
  signal: AbortSignal,
): Promise<InstallReport> {
  const { catalogue } = runtime();
  const entry = await findCataloguePackage(catalogue, wanted);
  const { scope } = entry.loaded;
  const prepared = await prepareInstall({ loaded: entry.loaded, context: { catalogue, scope }, ...wish });
  const causes = parameterProblems(prepared.operatorVersion, wish.parameters).map(({ path, message }) => ({
    field: path,
    message,
  }));
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some parameters are wrong.', causes);
  const steps: InstallStep[] = [];
  const createNamespace = await isNamespaceMissing(api, wish.namespace, signal);
  await install(api, { prepared, createNamespace, onStep: (step) => steps.push(step), signal });
  return { namespace: wish.namespace, instance: wish.instance, steps };
}

/** A person who may not read namespaces can still install into one that exists: it is not created then. */
async function isNamespaceMissing(api: Api, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await api.get({ group: '', version: 'v1', resource: 'namespaces', name }, { signal })) === undefined;
  } catch (error) {
    if (problemOf(error)?.status === 403) return false;
    throw error;
  }
}
