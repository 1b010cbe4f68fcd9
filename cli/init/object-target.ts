import { TerminalError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';

/** The kinds of an installation; discovery would need one more request, and a right to it. */
const RESOURCES: { readonly [kind: string]: Pick<Target, 'group' | 'version' | 'resource'> } = {
  ClusterRole: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' },
  ClusterRoleBinding: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' },
  CustomResourceDefinition: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
  Deployment: { group: 'apps', version: 'v1', resource: 'deployments' },
  Namespace: { group: '', version: 'v1', resource: 'namespaces' },
  NetworkPolicy: { group: 'networking.k8s.io', version: 'v1', resource: 'networkpolicies' },
  PodDisruptionBudget: { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' },
  Role: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles' },
  RoleBinding: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'rolebindings' },
  Service: { group: '', version: 'v1', resource: 'services' },
  ServiceAccount: { group: '', version: 'v1', resource: 'serviceaccounts' },
};

/** Where an object of an installation is. @throws TerminalError for a kind that no installation has */
export function targetOf(object: KubeObject): Target {
  const resource = RESOURCES[object.kind];
  if (resource === undefined) throw new TerminalError(`${object.kind} is not part of an installation`, 'Unknown');
  const namespace = object.metadata.namespace === undefined ? {} : { namespace: namespaceOf(object) };
  return { ...resource, ...namespace, name: nameOf(object) };
}

/** `Deployment kudo-system/bravo-console`, `ClusterRole bravo-controller`. */
export function titleOf(object: KubeObject): string {
  const { namespace } = object.metadata;
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}
