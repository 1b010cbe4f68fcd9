import { BravoError } from '@/lib/errors/errors';
import { scaledBy } from '@/lib/kudo/drift/drift';
import type { Api } from '@/server/kube/api';

/**
 * `kind/name` of everything in a namespace whose number of pods an autoscaler sets; nothing where that cannot be read. Asked in the
 * version that every Kubernetes serves: v2 came with 1.23.
 */
export async function scaledObjects(api: Api, namespace: string): Promise<ReadonlySet<string>> {
  try {
    const target = { group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers', namespace };
    const { items } = await api.list(target);
    return new Set(items.flatMap((item) => scaledBy(item) ?? []));
  } catch (error) {
    if (error instanceof BravoError) return new Set();
    throw error;
  }
}
