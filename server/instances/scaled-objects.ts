import { BravoError } from '@/lib/errors/errors';
import { scaledBy } from '@/lib/kudo/drift/drift';
import type { Api } from '@/server/kube/api';

/**
 * `kind/name` of every object in a namespace whose replicas an autoscaler sets; empty when autoscalers cannot be read. Version v1 is
 * read, because every Kubernetes serves it; v2 came with 1.23.
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
