import { arrayAt, jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden, notFound, type StatusError } from '../errors/status';
import { describeRules, missingRules, quotedList } from '../rbac/covered-rules';
import { type PolicyRule, Rbac, toPolicyRule } from '../rbac/rbac';
import type { UserInfo } from '../rbac/user';
import type { WriteContext } from './context';
import type { Registry, WrittenObject } from './registry';
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
 * @throws StatusError 403 with the rules that are missing, 404 when a binding's role does not exist
 */
export function refuseEscalation(
  registry: Registry,
  info: ResourceInfo,
  { object, old }: WrittenObject,
  { user: asker }: WriteContext,
): void {
  if (info.group !== GROUP || asker.groups.includes('system:masters')) return;
  if (old !== undefined && isOnlyLetGo(object, old)) return;
  const grant = new Grant(registry, info, object, asker);
  if (info.resource === 'roles' || info.resource === 'clusterroles') refuseRole(grant, old !== undefined);
  else refuseBinding(grant, registry);
}

/** A role or a binding, and what the user who writes it may do. */
class Grant {
  readonly namespace: string;
  readonly rbac: Rbac;
  private readonly user: UserInfo;
  private readonly own: readonly PolicyRule[];

  constructor(
    { store }: Registry,
    readonly info: ResourceInfo,
    readonly object: KubeObject,
    asker: WriteContext['user'],
  ) {
    this.namespace = object.metadata.namespace ?? '';
    this.rbac = new Rbac(store);
    this.user = { uid: '', extra: {}, ...asker };
    this.own = this.rbac.rulesOf(this.user, this.namespace);
  }

  may(verb: string, resource: string, name: string): boolean {
    const { namespace } = this;
    const asked = { verb, path: '', resource: { group: GROUP, resource, subresource: '', namespace, name } };
    return this.rbac.decide(this.user, asked).allowed;
  }

  has(rules: readonly PolicyRule[]): boolean {
    return missingRules(this.own, rules).length === 0;
  }

  demand(rules: readonly PolicyRule[]): void {
    const missing = missingRules(this.own, rules);
    if (missing.length === 0) return;
    const who = `user ${JSON.stringify(this.user.name)} (groups=${quotedList(this.user.groups)})`;
    throw this.refusal(`${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`);
  }

  refusal(because: string): StatusError {
    return forbidden(this.info, this.object.metadata.name ?? '', because);
  }
}

function refuseRole(grant: Grant, isUpdate: boolean): void {
  const { info, object } = grant;
  if (grant.may('escalate', info.resource, isUpdate ? (object.metadata.name ?? '') : '')) return;
  grant.demand(arrayAt(object, 'rules').map(toPolicyRule));
  if (object.aggregationRule === undefined || grant.has(EVERYTHING)) return;
  throw grant.refusal('must have cluster-admin privileges to use the aggregationRule');
}

function refuseBinding(grant: Grant, { store }: Registry): void {
  const kind = stringAt(grant.object, 'roleRef', 'kind') ?? '';
  const name = stringAt(grant.object, 'roleRef', 'name') ?? '';
  if (kind !== 'Role' && kind !== 'ClusterRole') return;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (grant.may('bind', resource, name)) return;
  const key = kind === 'Role' ? `${grant.namespace}/${name}` : name;
  const role = store.get(`${resource}.${GROUP}`, key)?.object;
  if (role === undefined) throw notFound({ group: GROUP, resource }, name);
  grant.demand(grant.rbac.effectiveRules(role));
}

/** An update of owners and finalizers alone lets the collector do its work. */
function isOnlyLetGo(object: KubeObject, old: KubeObject): boolean {
  const rest = ({ metadata, ...others }: KubeObject) => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, resourceVersion: ____, ...plain } = metadata;
    return { ...others, metadata: plain };
  };
  return jsonEqual(rest(object), rest(old));
}
