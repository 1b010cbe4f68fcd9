import { type KubeObject, kindOf } from './object';

const RBAC = 'rbac.authorization.k8s.io';

/** `group/Kind`, a line for kinds of one rank. */
const FIRST: readonly (readonly string[])[] = [
  ['/Namespace', 'scheduling.k8s.io/PriorityClass'],
  ['networking.k8s.io/NetworkPolicy', '/ResourceQuota', '/LimitRange', 'policy/PodDisruptionBudget'],
  ['/ServiceAccount'],
  ['/Secret', '/ConfigMap'],
  ['storage.k8s.io/StorageClass', '/PersistentVolume', '/PersistentVolumeClaim'],
  ['apiextensions.k8s.io/CustomResourceDefinition'],
  [`${RBAC}/ClusterRole`],
  [`${RBAC}/ClusterRoleBinding`],
  [`${RBAC}/Role`],
  [`${RBAC}/RoleBinding`],
  ['/Service'],
];
/** They concern requests that come after them. */
const LAST: readonly string[] = [
  'apiregistration.k8s.io/APIService',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
];

const RANK_BY_KIND: ReadonlyMap<string, number> = new Map([
  ...FIRST.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)),
  ...LAST.map((kind) => [kind, FIRST.length + 1] as const),
]);

/**
 * The same objects in the order in which Helm installs kinds (helm pkg/release/util/kind_sorter.go InstallOrder), so that what
 * others refer to exists before them. Coarser than Helm's: workloads, custom resources and every kind that is not named here
 * keep their listed order among each other, and so do the objects of one rank.
 */
export function inInstallOrder(objects: readonly KubeObject[]): KubeObject[] {
  return [...objects].sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf(object: KubeObject): number {
  const { group, kind } = kindOf(object);
  return RANK_BY_KIND.get(`${group}/${kind}`) ?? FIRST.length;
}
