import { INSTANCES_CRD, LEASE_NAMESPACE } from '@/lib/kudo/installation/names';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { FORMER_NAMESPACE } from './former-lease';

/**
 * The namespace in which the controllers of this cluster keep their lease and keys: what `bravo init` noted at the CRD of Instances, else
 * `default`; also `default` for who may not read CRDs.
 */
export async function leaseNamespaceOf(api: Pick<Api, 'get'>): Promise<string> {
  const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
  const crd = await api.get({ ...crds, name: INSTANCES_CRD }).catch((error: unknown) => {
    if (codeOf(error) === 403) return undefined;
    throw error;
  });
  return crd?.metadata.annotations?.[LEASE_NAMESPACE] || FORMER_NAMESPACE;
}
