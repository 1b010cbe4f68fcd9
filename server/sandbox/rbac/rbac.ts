import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { matchesLabelSelector } from '../selectors/selector';
import type { ObjectStore } from '../store/object-store';
import type { Attributes } from './attributes';
import type { UserInfo } from './user';

export interface Decision {
  readonly allowed: boolean;
  /** Why; empty when there is nothing to say. */
  readonly reason: string;
}

/** One rule of a role (rbac/v1 PolicyRule). */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const GROUP = 'rbac.authorization.k8s.io';
const CLUSTER_ROLE_BINDINGS = `clusterrolebindings.${GROUP}`;
const ROLE_BINDINGS = `rolebindings.${GROUP}`;
const CLUSTER_ROLES = `clusterroles.${GROUP}`;
const ROLES = `roles.${GROUP}`;

/** Role-based access control over the roles and bindings in the store (Kubernetes plugin/pkg/auth/authorizer/rbac). */
export class Rbac {
  constructor(private readonly store: ObjectStore) {}

  decide(user: UserInfo, attributes: Attributes): Decision {
    if (user.groups.includes('system:masters')) return { allowed: true, reason: '' };
    const missing: string[] = [];
    for (const grant of this.grants(user, attributes.resource?.namespace ?? '', missing)) {
      if (grant.rules.some((rule) => ruleAllows(rule, attributes))) {
        return { allowed: true, reason: `RBAC: allowed by ${grant.description}` };
      }
    }
    return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${missing.join(', ')}` };
  }

  /** Every rule that a user has in a namespace, with those of the cluster. */
  rulesOf(user: UserInfo, namespace: string): PolicyRule[] {
    if (user.groups.includes('system:masters')) return [everything, everyPath];
    return [...this.grants(user, namespace, [])].flatMap(({ rules }) => rules);
  }

  private *grants(user: UserInfo, namespace: string, missing: string[]): IterableIterator<Grant> {
    for (const [, { object }] of this.store.collection(CLUSTER_ROLE_BINDINGS).entries()) {
      const subject = subjectOf(object, user, '');
      if (subject === undefined) continue;
      const rules = this.rulesOfRole(object, '', missing);
      yield {
        rules,
        description: `ClusterRoleBinding ${JSON.stringify(object.metadata.name)} of ${roleText(object)} to ${subject}`,
      };
    }
    if (namespace === '') return;
    for (const [, { object }] of this.store.collection(ROLE_BINDINGS).entries(namespace)) {
      const subject = subjectOf(object, user, namespace);
      if (subject === undefined) continue;
      const name = JSON.stringify(`${object.metadata.name}/${namespace}`);
      const rules = this.rulesOfRole(object, namespace, missing);
      yield { rules, description: `RoleBinding ${name} of ${roleText(object)} to ${subject}` };
    }
  }

  private rulesOfRole(binding: KubeObject, namespace: string, missing: string[]): PolicyRule[] {
    const kind = stringAt(binding, 'roleRef', 'kind') ?? '';
    const name = stringAt(binding, 'roleRef', 'name') ?? '';
    const role =
      kind === 'ClusterRole'
        ? this.store.get(CLUSTER_ROLES, name)?.object
        : this.store.get(ROLES, `${namespace}/${name}`)?.object;
    if (role === undefined) {
      missing.push(`${kind.toLowerCase()}.${GROUP} ${JSON.stringify(name)} not found`);
      return [];
    }
    return this.effectiveRules(role);
  }

  /** The rules of a role, with those of the cluster roles that it aggregates. */
  effectiveRules(role: KubeObject): PolicyRule[] {
    const own = arrayAt(role, 'rules').map(toPolicyRule);
    const selectors = arrayAt(role, 'aggregationRule', 'clusterRoleSelectors');
    if (selectors.length === 0) return own;
    const others = [...this.store.collection(CLUSTER_ROLES).entries()]
      .map(([, stored]) => stored.object)
      .filter(
        (other) =>
          other !== role && selectors.some((selector) => matchesLabelSelector(selector, other.metadata.labels)),
      );
    return [...own, ...others.flatMap((other) => arrayAt(other, 'rules').map(toPolicyRule))];
  }
}

interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly description: string;
}

const everything: PolicyRule = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  resourceNames: [],
  nonResourceURLs: [],
};
const everyPath: PolicyRule = { ...everything, apiGroups: [], resources: [], nonResourceURLs: ['*'] };

export function toPolicyRule(rule: JsonValue): PolicyRule {
  const texts = (key: string): string[] => arrayAt(rule, key).map(String);
  return {
    verbs: texts('verbs'),
    apiGroups: texts('apiGroups'),
    resources: texts('resources'),
    resourceNames: texts('resourceNames'),
    nonResourceURLs: texts('nonResourceURLs'),
  };
}

export function ruleAllows(rule: PolicyRule, { verb, path, resource }: Attributes): boolean {
  if (!matches(rule.verbs, verb)) return false;
  if (resource === undefined) return rule.nonResourceURLs.some((url) => pathMatches(url, path));
  if (!matches(rule.apiGroups, resource.group)) return false;
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(resource.name)) return false;
  const combined = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`;
  return (
    matches(rule.resources, combined) ||
    (resource.subresource !== '' && rule.resources.includes(`*/${resource.subresource}`))
  );
}

function matches(allowed: readonly string[], wanted: string): boolean {
  return allowed.includes('*') || allowed.includes(wanted);
}

function pathMatches(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''));
}

/** The subject of a binding that is the user, as text, or undefined. */
function subjectOf(binding: KubeObject, user: UserInfo, namespace: string): string | undefined {
  for (const subject of arrayAt(binding, 'subjects')) {
    const kind = stringAt(subject, 'kind');
    const name = stringAt(subject, 'name') ?? '';
    const home = stringAt(subject, 'namespace') ?? namespace;
    const is =
      (kind === 'User' && name === user.name) ||
      (kind === 'Group' && user.groups.includes(name)) ||
      (kind === 'ServiceAccount' && user.name === `system:serviceaccount:${home}:${name}`);
    if (is)
      return kind === 'ServiceAccount'
        ? `ServiceAccount ${JSON.stringify(`${name}/${home}`)}`
        : `${kind} ${JSON.stringify(name)}`;
  }
  return undefined;
}

function roleText(binding: KubeObject): string {
  return `${stringAt(binding, 'roleRef', 'kind')} ${JSON.stringify(stringAt(binding, 'roleRef', 'name'))}`;
}
