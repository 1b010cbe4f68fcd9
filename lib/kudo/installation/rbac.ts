import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Rule } from './rules';

const GROUP = 'rbac.authorization.k8s.io';

type Labels = { readonly [name: string]: string };

/** A ClusterRole, or with a namespace a Role. */
export function role(name: string, labels: Labels, rules: readonly Rule[], namespace?: string): KubeObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
    rules: [...rules],
  };
}

export interface Binding {
  readonly name: string;
  readonly labels: Labels;
  readonly roleName: string;
  /** Of the Role and of the binding; absent: both are cluster-scoped. */
  readonly namespace?: string;
  readonly account: { readonly name: string; readonly namespace: string };
}

/** The binding of a role of {@link role} to an account. */
export function roleBinding({ name, labels, roleName, namespace, account }: Binding): KubeObject {
  const subject: JsonObject = { kind: 'ServiceAccount', name: account.name, namespace: account.namespace };
  return {
    apiVersion: `${GROUP}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
    roleRef: { apiGroup: GROUP, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: roleName },
    subjects: [subject],
  };
}

export function serviceAccount(name: string, namespace: string, labels: Labels): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } };
}
