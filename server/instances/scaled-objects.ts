import { BravoError } from '@/lib/errors/errors';
import { scaledBy } from '@/lib/kudo/upkeep/drift';
import type { Api } from '@/server/kube/api';

/** `kind/name` of everything in a namespace whose number of pods an autoscaler sets; nothing where that cannot be read. */
export async function scaledObjects(api: Api, namespace: string): Promise<ReadonlySet<string>> {
  try {
    const target = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers', namespace };
    const { items } = await api.list(target);
    return new Set(items.flatMap((item) => scaledBy(item) ?? []));
  } catch (error) {
    if (error instanceof BravoError) return new Set();
    throw error;
  }
}
