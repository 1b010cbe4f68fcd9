import { nameOf, namespaceOf } from '@/lib/kube/object';
import { entriesOf, inventoryOf } from '@/lib/kudo/inventory/inventory';
import type { Instance } from '@/lib/kudo/types';
import type { ObjectKey } from '@/server/sandbox/api';
import type { Kept } from '../invariants/fact';
import type { Simulation } from './simulation';

const RESOURCES: { readonly [kind: string]: Pick<ObjectKey, 'group' | 'version' | 'resource'> } = {
  ConfigMap: { group: '', version: 'v1', resource: 'configmaps' },
  Deployment: { group: 'apps', version: 'v1', resource: 'deployments' },
  StatefulSet: { group: 'apps', version: 'v1', resource: 'statefulsets' },
};

/** The objects of an Instance's inventory; none while a failed plan leaves the inventory unsettled. */
export function keptObjects({ sandbox }: Simulation, instance: Instance): (Kept & { key: ObjectKey })[] {
  const inventory = inventoryOf(instance);
  if (inventory === undefined || inventory.unsettled !== undefined) return [];
  return entriesOf(inventory)
    .flatMap(({ entry: { kind, name } }) => {
      const resource = RESOURCES[kind];
      if (resource === undefined) return [];
      const key = { ...resource, namespace: namespaceOf(instance), name };
      const id = `${namespaceOf(instance)}/${nameOf(instance)}`;
      return [{ fact: 'kept' as const, instance: id, name: `${kind} ${name}`, live: sandbox.api.get(key), key }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
