import { BravoError } from '@/lib/errors/errors';
import { labelValueProblem } from '@/lib/kube/label-syntax';
import { formatApiVersion, type KubeObject, nameOf, namespaceOf, type ResourceType } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { entriesOf, inventoryOf } from '@/lib/kudo/inventory/inventory';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { whyNoReport } from './drift-report';
import { findDrift } from './find-drift';
import { kubectlName, type LabelledObjects } from './list-owned';
import { scaledObjects } from './scaled-objects';

/** How many objects of each Instance differ from what its last plans applied, by `namespace/name`. */
export type DriftCounts = { readonly [key: string]: number };

/**
 * Counts the drifted objects of several Instances: each of their kinds is listed once per namespace. Instances that run a plan, have
 * no inventory or cannot be read are left out, and so are Instances without drift.
 *
 * @param keys `namespace/name`
 */
export async function countDrift(api: Api, keys: readonly string[], signal?: AbortSignal): Promise<DriftCounts> {
  const byNamespace = new Map<string, Set<string>>();
  for (const key of keys) {
    const [namespace = '', name = ''] = key.split('/');
    if (namespace === '' || name === '') continue;
    byNamespace.set(namespace, (byNamespace.get(namespace) ?? new Set()).add(name));
  }
  const counts: { [key: string]: number } = {};
  for (const [namespace, names] of byNamespace) Object.assign(counts, await countIn(api, namespace, names, signal));
  return counts;
}

async function countIn(api: Api, namespace: string, names: ReadonlySet<string>, signal?: AbortSignal) {
  const instances = await instancesIn(api, namespace, names, signal);
  if (instances.length === 0) return {};
  const kinds = new KindIndex(api);
  const types = await typesOf(instances, kinds);
  const listed = await listTypes(api, types, { namespace, names: instances.map(nameOf), signal });
  const scaled = await scaledObjects(api, namespace);
  const counts: { [key: string]: number } = {};
  for (const instance of instances) {
    const drifted = await findDrift(api, {
      instance,
      // Needed only for the description of a difference, which is not used here.
      operatorVersion: undefined,
      inventory: inventoryOf(instance),
      kinds,
      listed: ownOf(listed, instance),
      scaled,
    });
    if (drifted.length > 0) counts[`${namespaceOf(instance)}/${nameOf(instance)}`] = drifted.length;
  }
  return counts;
}

/** Instances that run no plan and have an inventory. */
async function instancesIn(api: Api, namespace: string, names: ReadonlySet<string>, signal?: AbortSignal) {
  try {
    const { items } = await api.list({ ...INSTANCES, namespace }, { signal });
    return (items as Instance[]).filter(
      (instance) =>
        names.has(nameOf(instance)) &&
        // A longer name cannot be the value of a label.
        labelValueProblem(nameOf(instance)) === undefined &&
        whyNoReport(instance) === undefined &&
        inventoryOf(instance) !== undefined,
    );
  } catch (error) {
    if (error instanceof BravoError) return [];
    throw error;
  }
}

/** Each namespaced kind of the inventories, once. */
async function typesOf(instances: readonly Instance[], kinds: KindIndex): Promise<ResourceType[]> {
  const types = new Map<string, ResourceType>();
  for (const instance of instances) {
    for (const { entry } of entriesOf(inventoryOf(instance) ?? { runs: [] })) {
      const type = await kinds.resolve(entry.apiVersion, entry.kind);
      if (type?.namespaced === true && entry.kind !== 'Instance') types.set(`${entry.apiVersion} ${entry.kind}`, type);
    }
  }
  return [...types.values()];
}

interface Place {
  readonly namespace: string;
  readonly names: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function listTypes(api: Api, types: readonly ResourceType[], { namespace, names, signal }: Place) {
  const found: { object: KubeObject; kind: ResourceType }[] = [];
  const unreadable: string[] = [];
  const labelSelector = `${INSTANCE_LABEL} in (${names.join(',')})`;
  for (const kind of types) {
    try {
      const { items } = await api.list({ ...kind, namespace }, { labelSelector, signal });
      const apiVersion = formatApiVersion(kind.group, kind.version);
      for (const item of items) found.push({ object: { ...item, kind: kind.kind, apiVersion }, kind });
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      unreadable.push(kubectlName(kind));
    }
  }
  return { found, unreadable };
}

function ownOf({ found, unreadable }: LabelledObjects, instance: Instance): LabelledObjects {
  const own = found.filter(({ object }) => object.metadata.labels?.[INSTANCE_LABEL] === nameOf(instance));
  return { found: own, unreadable };
}
