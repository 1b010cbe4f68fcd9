import type { GroupVersionResource } from '@/lib/kube/object';

/** The cluster-scoped kinds of Kubernetes that Bravo reads, as `resource.group`. */
const CLUSTER_SCOPED = new Set([
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'namespaces.',
  'nodes.',
  'persistentvolumes.',
  'priorityclasses.scheduling.k8s.io',
  'storageclasses.storage.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/** True for a kind of Kubernetes that has no namespace. Of kinds of other CRDs it is not known: false. */
export function isClusterScoped({ group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>): boolean {
  return CLUSTER_SCOPED.has(`${resource}.${group}`);
}
