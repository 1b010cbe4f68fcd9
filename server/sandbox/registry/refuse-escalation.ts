import { arrayAt, jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden, notFound } from '../errors/status';
import { describeRules, missingRules, quotedList } from '../rbac/covered-rules';
import { type PolicyRule, Rbac, toRule } from '../rbac/rbac';
import type { WriteContext } from './context';
import type { Registry } from './registry';
import type { ResourceInfo } from './resource-info';

const GROUP = 'rbac.authorization.k8s.io';
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/**
 * Nobody gives away rights that he does not have: who writes a role has all its rules or the verb `escalate`, who writes a
 * binding has all rules of its role or the verb `bind` on it (Kubernetes pkg/registry/rbac policybased storages).
 *
 * @param old the object before an update
 * @throws StatusError 403 with the rules that are missing, 404 when a binding's role is not there
 */
export function refuseEscalation(
  registry: Registry,
  info: ResourceInfo,
  object: KubeObject,
  { user: asker }: WriteContext,
  old?: KubeObject,
): void {
  if (info.group !== GROUP || asker.groups.includes('system:masters')) return;
  if (old !== undefined && isOnlyLetGo(object, old)) return;
  const rbac = new Rbac(registry.store);
  const user = { uid: '', extra: {}, ...asker };
  const namespace = object.metadata.namespace ?? '';
  const may = (verb: string, resource: string, name: string) =>
    rbac.decide(user, { verb, path: '', resource: { group: GROUP, resource, subresource: '', namespace, name } })
      .allowed;
  const refuse = (because: string) => forbidden(info, object.metadata.name ?? '', because);
  const own = rbac.rulesOf(user, namespace);
  const demand = (rules: readonly PolicyRule[]) => {
    const missing = missingRules(own, rules);
    if (missing.length === 0) return;
    const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
    throw refuse(`${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`);
  };
  if (info.resource === 'roles' || info.resource === 'clusterroles') {
    if (may('escalate', info.resource, old === undefined ? '' : (object.metadata.name ?? ''))) return;
    demand(arrayAt(object, 'rules').map(toRule));
    if (object.aggregationRule === undefined || missingRules(own, EVERYTHING).length === 0) return;
    throw refuse('must have cluster-admin privileges to use the aggregationRule');
  }
  const kind = stringAt(object, 'roleRef', 'kind') ?? '';
  const name = stringAt(object, 'roleRef', 'name') ?? '';
  if (kind !== 'Role' && kind !== 'ClusterRole') return;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (may('bind', resource, name)) return;
  const key = kind === 'Role' ? `${namespace}/${name}` : name;
  const role = registry.store.get(`${resource}.${GROUP}`, key)?.object;
  if (role === undefined) throw notFound({ group: GROUP, resource }, name);
  demand(rbac.effectiveRules(role));
}

/** An update of owners and finalizers alone lets the collector do its work. */
function isOnlyLetGo(object: KubeObject, old: KubeObject): boolean {
  const rest = ({ metadata, ...others }: KubeObject) => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, resourceVersion: ____, ...plain } = metadata;
    return { ...others, metadata: plain };
  };
  return jsonEqual(rest(object), rest(old));
}
