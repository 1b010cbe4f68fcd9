import type { InstallRequest } from '@/lib/kudo/catalogue';
import { parameterProblems } from '@/lib/kudo/parameters';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import { problemOf, Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { type InstallStep, install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { ownSecret, writeSecretKeys } from '@/server/parameters/write-secret';
import { runtime } from '@/server/runtime/runtime';
import { findCataloguePackage } from './find-package';

/** The objects that an install created or found, in order. */
export interface InstallReport {
  readonly namespace: string;
  readonly instance: string;
  readonly steps: readonly InstallStep[];
}

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
  const entry = await findCataloguePackage(catalogue, wanted);
  const { scope } = entry.loaded;
  const { namespace, instance: name } = wish;
  const known = await prepareInstall({ loaded: entry.loaded, context: { catalogue, scope }, ...wish });
  const placed = placeEdit({ metadata: { name } }, known.operatorVersion, wish);
  const values = {
    parameters: Object.fromEntries(
      Object.entries(wish.parameters).filter(([each]) => Object.hasOwn(placed.parameters, each)),
    ),
    parametersFrom: Object.values(placed.sources).filter((source) => source !== null),
  };
  const context = { catalogue, scope };
  const prepared = await prepareInstall({ loaded: entry.loaded, context, namespace, instance: name, ...values });
  const causes = parameterProblems(prepared.operatorVersion, wish.parameters).map(({ path, message }) => ({
    field: path,
    message,
  }));
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some parameters are not valid.', causes);
  const steps: InstallStep[] = [];
  const createNamespace = await isNamespaceMissing(api, wish.namespace, signal);
  const made: string[] = [];
  const beforeInstance = async () => {
    for (const [secret, texts] of Object.entries(placed.secrets)) {
      if (await writeSecretKeys(api, { namespace, name: secret }, texts)) made.push(secret);
    }
  };
  const onStep = (step: InstallStep) => void steps.push(step);
  const { instance } = await install(api, { prepared, createNamespace, beforeInstance, onStep, signal });
  if (instance !== undefined) {
    for (const secret of made) await ownSecret(api, { namespace, name: secret }, instance);
  }
  return { namespace: wish.namespace, instance: wish.instance, steps };
}

/** A person who may not read namespaces can still install into an existing one, so a refused read skips its creation. */
async function isNamespaceMissing(api: Api, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await api.get({ group: '', version: 'v1', resource: 'namespaces', name }, { signal })) === undefined;
  } catch (error) {
    if (problemOf(error)?.status === 403) return false;
    throw error;
  }
}
