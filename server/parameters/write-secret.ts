import { nameOf } from '@/lib/kube/object';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import { Refusal } from '@/server/http/problem';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';

/** A Secret to write keys into, and the Instance that owns it when it is made now. */
export interface SecretTarget {
  readonly namespace: string;
  readonly name: string;
  readonly owner?: Instance | undefined;
}

/**
 * Writes keys of a Secret with a person's own authority; other keys stay. The Secret is made when there is none; then it is
 * deleted with the Instance that owns it.
 *
 * @returns true when it was made
 * @throws Refusal 403 with the way out when the person may not write it
 */
export async function writeSecretKeys(
  api: Api,
  place: SecretTarget,
  values: { readonly [key: string]: string },
): Promise<boolean> {
  const target = { group: '', version: 'v1', resource: 'secrets', namespace: place.namespace };
  const patch = () => api.patch({ ...target, name: place.name }, 'merge', { stringData: { ...values } });
  try {
    await patch();
    return false;
  } catch (error) {
    if (codeOf(error) !== 404) throw explained(error, place);
  }
  try {
    await api.create(target, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: place.name, namespace: place.namespace, ...owned(place.owner) },
      type: 'Opaque',
      stringData: { ...values },
    });
    return true;
  } catch (error) {
    if (codeOf(error) !== 409) throw explained(error, place);
    await patch();
    return false;
  }
}

/** Has a Secret that was made before its Instance deleted with it. A person who may not patch it keeps it. */
export async function ownSecret(api: Api, { namespace, name }: SecretTarget, owner: Instance): Promise<void> {
  const target: Target = { group: '', version: 'v1', resource: 'secrets', namespace, name };
  try {
    await api.patch(target, 'merge', { metadata: { ...owned(owner) } });
  } catch (error) {
    if (codeOf(error) !== 403 && codeOf(error) !== 404) throw error;
  }
}

function owned(owner: Instance | undefined) {
  const uid = owner?.metadata.uid;
  if (owner === undefined || uid === undefined) return {};
  return { ownerReferences: [{ apiVersion: KUDO_API_VERSION, kind: 'Instance', name: nameOf(owner), uid }] };
}

function explained(error: unknown, { namespace, name }: SecretTarget): unknown {
  if (codeOf(error) !== 403) return error;
  const message = `You may not write Secret ${name} in ${namespace}. Ask for the rights to create and patch secrets there, or keep secret values in the instance.`;
  return new Refusal(403, 'Forbidden', message);
}
