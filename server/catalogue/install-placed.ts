import type { InstallRequest } from '@/lib/kudo/package/catalogue';
import { parameterProblems } from '@/lib/kudo/parameters/parameter-problems';
import { type PlacedEdit, placeEdit } from '@/lib/kudo/sources/place-edit';
import { problemOf, Refusal } from '@/server/http/problem';
import { executionBegun } from '@/server/instances/execution-begun';
import type { Api } from '@/server/kube/api';
import { type InstallStep, install } from '@/server/packages/install';
import type { LoadedPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import type { ResolveContext } from '@/server/packages/resolve';
import { ownSecret, writeSecretKeys } from '@/server/parameters/write-secret';

/** The objects that an install created or found, in order. */
export interface InstallReport {
  readonly namespace: string;
  readonly instance: string;
  readonly steps: readonly InstallStep[];
  /** Of the execution of the first plan, where that is known. */
  readonly uid?: string | undefined;
}

export interface InstallPlacedOptions {
  readonly loaded: LoadedPackage;
  readonly context: ResolveContext;
  readonly wish: InstallRequest;
  readonly signal: AbortSignal;
}

/**
 * Installs a package with each value in its place: secret ones in the Instance's Secret, which is written before the Instance
 * and deleted with it.
 *
 * @throws Refusal 422 with the invalid parameters, 403 when the person may not write the Secret; the errors of `install`
 */
export async function installPlaced(
  api: Api,
  { loaded, context, wish, signal }: InstallPlacedOptions,
): Promise<InstallReport> {
  const { namespace, instance: name } = wish;
  const { operatorVersion } = await prepareInstall({ loaded, context, namespace });
  const placed = placeEdit({ metadata: { name } }, operatorVersion, wish);
  const values = installValues(wish, placed);
  const prepared = await prepareInstall({ loaded, context, namespace, instance: name, ...values });
  const causes = parameterProblems(operatorVersion, wish.parameters).map(({ path, message }) => ({
    field: path,
    message,
  }));
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some parameters are not valid.', causes);
  const steps: InstallStep[] = [];
  const made: string[] = [];
  const { instance } = await install(api, {
    prepared,
    ownCrds: wish.skipCrds === true ? 'skip' : 'install',
    adoptCrds: wish.adoptCrds,
    createNamespace: await isNamespaceMissing(api, namespace, signal),
    beforeInstance: async () => {
      for (const [secret, texts] of Object.entries(placed.secrets)) {
        if (await writeSecretKeys(api, { namespace, name: secret }, texts)) made.push(secret);
      }
    },
    onStep: (step) => steps.push(step),
    signal,
  });
  if (instance !== undefined) {
    for (const secret of made) await ownSecret(api, { namespace, name: secret }, instance);
  }
  const uid = instance === undefined ? undefined : executionBegun(undefined, instance);
  return { namespace, instance: name, steps, uid };
}

/** `spec.parameters` and `spec.parametersFrom` of the new Instance. */
function installValues({ parameters }: InstallRequest, placed: PlacedEdit) {
  const own = Object.entries(parameters).filter(([name]) => Object.hasOwn(placed.parameters, name));
  const parametersFrom = Object.values(placed.sources).filter((source) => source !== null);
  return { parameters: Object.fromEntries(own), parametersFrom };
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
