import type { KubeObject } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';

/** What decides about the volumes of a namespace. */
export interface Claims {
  /** Every PersistentVolumeClaim, by name. */
  readonly claims: readonly KubeObject[];
  /** Every StatefulSet. */
  readonly statefulSets: readonly KubeObject[];
}

/** Lists the claims and StatefulSets of a namespace. @throws BravoError when one of them cannot be read */
export async function listClaims(api: Api, namespace: string, signal?: AbortSignal): Promise<Claims> {
  const [claims, statefulSets] = await Promise.all([
    api.list({ group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace }, { signal }),
    api.list({ group: 'apps', version: 'v1', resource: 'statefulsets', namespace }, { signal }),
  ]);
  const byName = (a: KubeObject, b: KubeObject) =>
    (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en', { numeric: true });
  return {
    claims: claims.items.map((item) => ({ ...item, apiVersion: 'v1', kind: 'PersistentVolumeClaim' })).sort(byName),
    statefulSets: statefulSets.items.map((item) => ({ ...item, apiVersion: 'apps/v1', kind: 'StatefulSet' })),
  };
}
