import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { parseApiVersion } from '@/lib/kube/object';
import type { Topic } from '@/lib/live/topic';
import { entriesOf, type Inventory } from '../inventory/inventory';

/** Kinds that a page follows, and objects of the cluster that it follows by name. */
const MOST_KINDS = 26;
const MOST_NAMED = 10;

/** `group/Kind` → the kinds of the children that its controller creates. */
const CHILDREN: ReadonlyMap<string, readonly string[]> = new Map([
  ['apps/Deployment', ['apps/ReplicaSet']],
  ['apps/ReplicaSet', ['/Pod']],
  ['apps/StatefulSet', ['/Pod', '/PersistentVolumeClaim', 'apps/ControllerRevision']],
  ['apps/DaemonSet', ['/Pod', 'apps/ControllerRevision']],
  ['batch/Job', ['/Pod']],
  ['batch/CronJob', ['batch/Job']],
  ['/ReplicationController', ['/Pod']],
  ['/Service', ['discovery.k8s.io/EndpointSlice']],
]);

/** What tasks commonly apply, what controllers create for it, and what other operators create for their resources. */
const COMMON: readonly string[] = [
  ...['/Pod', 'apps/StatefulSet', 'apps/Deployment', 'apps/ReplicaSet', 'apps/DaemonSet', 'batch/Job', 'batch/CronJob'],
  ...['/Service', '/ConfigMap', '/Secret', '/PersistentVolumeClaim', '/ServiceAccount', 'kudo.dev/Instance'],
  ...['rbac.authorization.k8s.io/Role', 'rbac.authorization.k8s.io/RoleBinding', 'policy/PodDisruptionBudget'],
  ...['discovery.k8s.io/EndpointSlice', 'apps/ControllerRevision', 'networking.k8s.io/Ingress'],
  ...['networking.k8s.io/NetworkPolicy', 'autoscaling/HorizontalPodAutoscaler'],
];

/** A kind of the tree with the topic of its objects. */
export interface TreeKind {
  readonly kind: KindSummary;
  readonly topic: Topic;
}

export interface TreeKinds {
  readonly followed: readonly TreeKind[];
  /** Kinds that are not followed, because there are too many: `widgets.example.org`. */
  readonly leftOut: readonly string[];
}

/** `apps/Deployment`; the core group is empty. */
export function kindKey({ group, kind }: Pick<KindSummary, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** The kinds of the children that the controller of a kind creates, as {@link kindKey}. */
export function childKindsOf(parent: string): readonly string[] {
  return CHILDREN.get(parent) ?? [];
}

/**
 * The kinds that the tree of an Instance follows: those of the inventory, the common ones, and custom kinds that were found. Cluster-scoped objects of
 * the inventory are followed one by one.
 */
export function treeKinds(
  place: { readonly namespace: string; readonly name: string },
  inventory: Inventory | undefined,
  known: { readonly served: readonly KindSummary[]; readonly custom: readonly KindSummary[] },
): TreeKinds {
  const servedByKey = new Map(known.served.map((kind) => [kindKey(kind), kind]));
  const entries = entriesOf(inventory ?? { runs: [] }).map(({ entry }) => entry);
  const named = entries.map(({ apiVersion, kind }) => kindKey({ group: parseApiVersion(apiVersion).group, kind }));
  const wanted = new Set([...COMMON, ...named, ...known.custom.map(kindKey)]);
  const kinds = [...wanted].flatMap((key) => servedByKey.get(key) ?? []).filter(({ namespaced }) => namespaced);
  const followed = kinds.slice(0, MOST_KINDS).map(
    (kind): TreeKind => ({
      kind,
      topic: { ...resourceOf(kind), namespace: place.namespace, of: [place.name], view: 'tree' },
    }),
  );
  const single = new Map<string, TreeKind>();
  for (const { apiVersion, kind, name } of entries) {
    const key = kindKey({ group: parseApiVersion(apiVersion).group, kind });
    const served = servedByKey.get(key);
    if (served === undefined || served.namespaced) continue;
    single.set(`${key}/${name}`, { kind: served, topic: { ...resourceOf(served), name, view: 'tree' } });
  }
  const clusterScoped = [...single.values()];
  const leftOut = [...kinds.slice(MOST_KINDS), ...clusterScoped.slice(MOST_NAMED).map(({ kind }) => kind)];
  return {
    followed: [...followed, ...clusterScoped.slice(0, MOST_NAMED)],
    leftOut: [...new Set(leftOut.map(resourceName))],
  };
}

function resourceOf({ group, version, resource }: KindSummary): Topic {
  return { group, version, resource };
}
