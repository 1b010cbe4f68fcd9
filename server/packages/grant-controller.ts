import { ConflictError, messageOf } from '@/lib/errors/errors';
import { arrayAt, jsonEqual, stringAt } from '@/lib/json/json';
import { type GroupVersionResource, type KubeObject, nameOf } from '@/lib/kube/object';
import {
  CONTROLLER_NAME,
  INSTANCES_CRD,
  LEASE_NAMESPACE,
  SERVICE_ACCOUNT,
  SYSTEM_LABELS,
} from '@/lib/kudo/installation/names';
import { role, roleBinding } from '@/lib/kudo/installation/rbac';
import type { Rule } from '@/lib/kudo/installation/rules';
import { OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { CRDS } from '@/server/kube/install-crds';
import type { OwnCrdOptions } from './own-crds';

const ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' } as const;
const BINDINGS = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' } as const;
const DEPLOYMENTS = { group: 'apps', version: 'v1', resource: 'deployments' } as const;

/**
 * Lets the controller of an installation (`bravo init`) act on the kinds of an operator: a ClusterRole of their resources and its binding. The
 * controller itself has no right to grant rights. Nothing is done where no controller is installed in the cluster.
 */
export async function grantController(
  api: Api,
  crds: readonly KubeObject[],
  { onStep, signal }: OwnCrdOptions,
): Promise<void> {
  const options = signal === undefined ? {} : { signal };
  const account = await controllerAccount(api, options).catch(() => undefined);
  if (account === undefined) return;
  for (const [operator, rules] of rulesByOperator(crds)) {
    const name = `bravo-kinds-${operator}`;
    const objects = [
      [ROLES, role(name, SYSTEM_LABELS, rules)],
      [BINDINGS, roleBinding({ name, labels: SYSTEM_LABELS, roleName: name, account })],
    ] as const;
    for (const [target, object] of objects) {
      const step = { kind: object.kind as 'ClusterRole' | 'ClusterRoleBinding', namespace: '', name };
      try {
        onStep?.({ ...step, did: await put(api, target, object) });
      } catch (error) {
        if (codeOf(error) !== 403) throw error;
        onStep?.({
          ...step,
          did: 'refused',
          message: `The controller cannot act on its kinds without it: ${messageOf(error)}`,
        });
      }
    }
  }
}

/** The account of the controller that `bravo init` installed. */
async function controllerAccount(
  api: Api,
  options: { signal?: AbortSignal },
): Promise<{ name: string; namespace: string } | undefined> {
  const crd = await api.get({ ...CRDS, name: INSTANCES_CRD }, options);
  const namespace = crd?.metadata.annotations?.[LEASE_NAMESPACE];
  if (namespace === undefined) return undefined;
  const deployment = await api.get({ ...DEPLOYMENTS, namespace, name: CONTROLLER_NAME }, options);
  const name = stringAt(deployment?.spec, 'template', 'spec', 'serviceAccountName') ?? SERVICE_ACCOUNT;
  return { name, namespace };
}

function rulesByOperator(crds: readonly KubeObject[]): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  for (const crd of crds) {
    const operator = crd.metadata.labels?.[OWN_KIND_LABEL] ?? '';
    const group = stringAt(crd.spec, 'group') ?? '';
    const plural = stringAt(crd.spec, 'names', 'plural') ?? '';
    rules.set(operator, [
      ...(rules.get(operator) ?? []),
      { apiGroups: [group], resources: [plural], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
      { apiGroups: [group], resources: [`${plural}/status`, `${plural}/finalizers`], verbs: ['update', 'patch'] },
    ]);
  }
  return rules;
}

/** Creates the object, or adds the rules of these kinds to an existing role. */
async function put(api: Api, target: GroupVersionResource, object: KubeObject): Promise<'created' | 'found'> {
  try {
    await api.create(target, object);
    return 'created';
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const named = { ...target, name: nameOf(object) };
    const known = arrayAt(await api.get(named), 'rules');
    const added = arrayAt(object, 'rules').filter((rule) => !known.some((each) => jsonEqual(each, rule)));
    if (added.length > 0) await api.patch(named, 'merge', { rules: [...known, ...added] });
    return 'found';
  }
}
