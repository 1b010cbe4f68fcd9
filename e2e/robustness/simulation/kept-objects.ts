import { nameOf, namespaceOf } from '@/lib/kube/object';
import { entriesOf, inventoryOf } from '@/lib/kudo/inventory/inventory';
import type { Instance } from '@/lib/kudo/types';
import type { ObjectKey } from '@/server/sandbox/api';
import type { Kept } from '../invariants/fact';
import type { RemovedByHand } from './removed-by-hand';
import type { Simulation } from './simulation';

const RESOURCES: { readonly [kind: string]: Pick<ObjectKey, 'group' | 'version' | 'resource'> } = {
  ConfigMap: { group: '', version: 'v1', resource: 'configmaps' },
  Deployment: { group: 'apps', version: 'v1', resource: 'deployments' },
  StatefulSet: { group: 'apps', version: 'v1', resource: 'statefulsets' },
};

/** The objects of an Instance's inventory; none while a failed plan leaves the inventory unsettled. */
export function keptObjects(
  { sandbox }: Simulation,
  instance: Instance,
  removed: RemovedByHand,
): (Kept & { key: ObjectKey })[] {
  const inventory = inventoryOf(instance);
  if (inventory === undefined || inventory.unsettled !== undefined) return [];
  return entriesOf(inventory)
    .flatMap(({ entry: { kind, name, digest }, run }) => {
      const resource = RESOURCES[kind];
      if (resource === undefined) return [];
      const namespace = namespaceOf(instance);
      const key = { ...resource, namespace, name };
      const id = `${namespace}/${nameOf(instance)}`;
      const isLost = digest === '' && removed.isLost({ kind, namespace, name }, run.uid);
      return [
        { fact: 'kept' as const, instance: id, name: `${kind} ${name}`, live: sandbox.api.get(key), isLost, key },
      ];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
