import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey } from '@/lib/kudo/names';
import { refersTo } from '@/lib/kudo/references/reference-parameter';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { ReferringInstance } from '@/lib/kudo/view/deletion-preview';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';

interface InstancePlace {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The Instances whose parameters name this one, as far as the person may list: in all namespaces, or in its own. One that
 * names it by a default of its operator alone is not found.
 *
 * @throws TransientError when the API does not answer
 */
export async function findDependents(
  api: Pick<Api, 'list' | 'get'>,
  place: InstancePlace,
  signal?: AbortSignal,
): Promise<readonly ReferringInstance[]> {
  const options = signal === undefined ? {} : { signal };
  const candidates = (await listInstances(api, place, options)).filter((instance) => mayName(instance, place));
  const found = await Promise.all(
    candidates.map(async (instance): Promise<ReferringInstance[]> => {
      const operatorVersion = await versionOf(api, instance, options);
      const parameter = operatorVersion === undefined ? undefined : refersTo({ instance, operatorVersion }, place);
      const from = { namespace: namespaceOf(instance), name: nameOf(instance) };
      return parameter === undefined ? [] : [{ ...from, parameter }];
    }),
  );
  return found.flat();
}

type ReadOptions = { readonly signal?: AbortSignal };

async function listInstances(api: Pick<Api, 'list'>, { namespace }: InstancePlace, options: ReadOptions) {
  try {
    return (await api.list({ ...INSTANCES }, options)).items as readonly Instance[];
  } catch (error) {
    if (codeOf(error) !== 403) throw error;
    return (await api.list({ ...INSTANCES, namespace }, options)).items as readonly Instance[];
  }
}

/** Only versions of these are read: a version is large. */
function mayName(instance: KubeObject & Instance, { namespace, name }: InstancePlace): boolean {
  if (nameOf(instance) === name && namespaceOf(instance) === namespace) return false;
  const values = Object.values(instance.spec?.parameters ?? {});
  return values.includes(`${namespace}/${name}`) || (namespaceOf(instance) === namespace && values.includes(name));
}

/** Undefined for one that does not exist, or that the person may not read. */
async function versionOf(api: Pick<Api, 'get'>, instance: Instance, options: ReadOptions) {
  try {
    return (await api.get({ ...OPERATOR_VERSIONS, ...operatorVersionKey(instance) }, options)) as
      | OperatorVersion
      | undefined;
  } catch (error) {
    if (codeOf(error) === 403) return undefined;
    throw error;
  }
}
