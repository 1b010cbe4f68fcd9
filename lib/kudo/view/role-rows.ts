import { arrayAt, isJsonObject, objectAt, stringAt } from '@/lib/json/json';
import { type AccessRule, isAllowedByRules, readAccessRules } from '@/lib/kube/access-rules';
import type { KubeObject } from '@/lib/kube/object';
import { type OperatorAction, rightsByAction } from './action-rights';

/** Whom a binding names. A ServiceAccount is `NAMESPACE:NAME`. */
export interface RoleSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

/** What one subject may do with operators, in one namespace or (without one) everywhere. */
export interface RoleRow extends RoleSubject {
  readonly key: string;
  readonly namespace: string | undefined;
  /** In the order of {@link OperatorAction}; at least one. */
  readonly actions: readonly OperatorAction[];
  /** Where it comes from: `ClusterRole edit by RoleBinding jo`. */
  readonly by: readonly string[];
}

/** RBAC as the API serves it. */
export interface RbacObjects {
  readonly roles: readonly KubeObject[];
  readonly clusterRoles: readonly KubeObject[];
  readonly roleBindings: readonly KubeObject[];
  readonly clusterRoleBindings: readonly KubeObject[];
}

interface Granted {
  readonly subject: RoleSubject;
  readonly namespace: string | undefined;
  readonly rules: AccessRule[];
  readonly by: string[];
}

const ACTIONS = Object.keys(rightsByAction) as readonly OperatorAction[];

/**
 * Who may do what with operators: a row for each subject and place where a binding lets it do something, by subject, everywhere first. What a
 * subject may do everywhere counts in each of its namespaces too. What a person may do as a member of a group is in the row of the group.
 */
export function roleRows(rbac: RbacObjects): RoleRow[] {
  const rules = rulesByRole(rbac);
  const granted = new Map<string, Granted>();
  for (const binding of [...rbac.clusterRoleBindings, ...rbac.roleBindings]) {
    for (const subject of subjectsOf(binding)) addGrant(granted, subject, binding, rules);
  }
  const everywhere = (subject: RoleSubject) => granted.get(keyOf(subject, undefined))?.rules ?? [];
  const rows = [...granted].map(([key, { subject, namespace, rules: own, by }]) => {
    const all = namespace === undefined ? own : [...own, ...everywhere(subject)];
    return { key, ...subject, namespace, by, actions: own.length === 0 ? [] : actionsBy(all) };
  });
  return rows.filter(({ actions }) => actions.length > 0).sort(inOrder);
}

/** What the rules allow in a namespace. */
export function actionsBy(rules: readonly AccessRule[]): OperatorAction[] {
  return ACTIONS.filter((action) =>
    rightsByAction[action]('').every(({ verb, group, resource }) =>
      isAllowedByRules(rules, { verbs: [verb], group, resource }),
    ),
  );
}

/** Rows whose subject, namespace or role has the text. */
export function filterRoleRows(rows: readonly RoleRow[], text: string): readonly RoleRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ kind, name, namespace = '', by }) =>
    [kind, name, namespace, ...by].some((each) => each.toLowerCase().includes(wanted)),
  );
}

function addGrant(
  granted: Map<string, Granted>,
  subject: RoleSubject,
  binding: KubeObject,
  rules: ReadonlyMap<string, readonly AccessRule[]>,
): void {
  const { namespace, name = '' } = binding.metadata;
  const role = stringAt(binding, 'roleRef', 'name') ?? '';
  const kind = stringAt(binding, 'roleRef', 'kind') ?? '';
  const key = keyOf(subject, namespace);
  const grant = granted.get(key) ?? { subject, namespace, rules: [], by: [] };
  const found = rules.get(roleKey(kind, kind === 'Role' ? namespace : undefined, role)) ?? [];
  if (actionsBy(found).length > 0) {
    grant.by.push(`${kind} ${role} by ${namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding'} ${name}`);
  }
  grant.rules.push(...found);
  granted.set(key, grant);
}

function rulesByRole({ roles, clusterRoles }: RbacObjects): ReadonlyMap<string, readonly AccessRule[]> {
  const rulesOf = (role: KubeObject) =>
    readAccessRules({ status: { resourceRules: arrayAt(role, 'rules') } }).rules.filter(
      ({ resources }) => resources.length > 0,
    );
  const entries = (kind: string, all: readonly KubeObject[]) =>
    all.map((role) => [roleKey(kind, role.metadata.namespace, role.metadata.name ?? ''), rulesOf(role)] as const);
  return new Map([...entries('Role', roles), ...entries('ClusterRole', clusterRoles)]);
}

function roleKey(kind: string, namespace: string | undefined, name: string): string {
  return `${kind} ${namespace ?? ''}/${name}`;
}

function subjectsOf(binding: KubeObject): RoleSubject[] {
  return arrayAt(binding, 'subjects').flatMap((each): RoleSubject[] => {
    const subject = objectAt(isJsonObject(each) ? { each } : {}, 'each');
    const [kind, name = '', home = binding.metadata.namespace ?? ''] = ['kind', 'name', 'namespace'].map((key) =>
      stringAt(subject, key),
    );
    if (kind === 'User' || kind === 'Group') return [{ kind, name }];
    return kind === 'ServiceAccount' ? [{ kind, name: `${home}:${name}` }] : [];
  });
}

function keyOf({ kind, name }: RoleSubject, namespace: string | undefined): string {
  return `${kind} ${name} @${namespace ?? '*'}`;
}

function inOrder(a: RoleRow, b: RoleRow): number {
  return (
    a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name) || (a.namespace ?? '').localeCompare(b.namespace ?? '')
  );
}
