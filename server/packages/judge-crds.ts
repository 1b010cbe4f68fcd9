import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type CrdVerdict, crdVerdict } from '@/lib/kudo/own-kinds/crd-verdict';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { CRDS } from '@/server/kube/install-crds';

/** What an install would do with each of these CRDs, read with the rights of the person. Nothing is written. */
export function judgeCrds(api: Api, crds: readonly KubeObject[], signal?: AbortSignal): Promise<CrdVerdict[]> {
  const options = signal === undefined ? {} : { signal };
  return Promise.all(
    crds.map(async (crd) => {
      try {
        return crdVerdict(await api.get({ ...CRDS, name: nameOf(crd) }, options), crd);
      } catch (error) {
        if (codeOf(error) !== 403) throw error;
        const kind = stringAt(crd.spec, 'names', 'kind') ?? '';
        return { crd: nameOf(crd), kind, do: 'unknown', message: undefined, owner: [], changes: [] } as const;
      }
    }),
  );
}
