import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATORS } from '@/lib/kudo/crds';
import { OPERATOR_LABEL } from '@/lib/kudo/names';
import { isSecretParameter, secretParameters } from '@/lib/kudo/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { getInstance, getOperatorVersion } from '../support/instances';
import { type Collection, collectList, collectPods } from './collect-objects';

const KINDS = [
  ['service', '', 'services'],
  ['deployment', 'apps', 'deployments'],
  ['statefulset', 'apps', 'statefulsets'],
  ['replicaset', 'apps', 'replicasets'],
  ['serviceaccount', '', 'serviceaccounts'],
  ['rolebinding', 'rbac.authorization.k8s.io', 'rolebindings'],
  ['role', 'rbac.authorization.k8s.io', 'roles'],
] as const;
const CLUSTER_KINDS = [
  ['clusterrolebinding', 'rbac.authorization.k8s.io', 'clusterrolebindings'],
  ['clusterrole', 'rbac.authorization.k8s.io', 'clusterroles'],
] as const;

/**
 * The Instance, its version and operator, every object with the operator's label, and the same of each child.
 *
 * @throws TerminalError when Instance, version or operator cannot be read; why is in the bundle too
 */
export async function collectInstance(collection: Collection, name: string): Promise<void> {
  const { session } = collection;
  session.print('Collect ResourceGroup for 3 collectors');
  const place = `${session.namespace}/${name}`;
  const instance = await required(collection, 'instance', `instance ${place} does not exist`, () =>
    getInstance(session, name),
  );
  const folder = await collectFamily(collection, '', instance);
  const { items } = await session.api.list({ ...INSTANCES, namespace: session.namespace });
  for (const child of items as Instance[]) {
    const owners = child.metadata.ownerReferences ?? [];
    if (owners.some(({ uid }) => uid === instance.metadata.uid)) await collectFamily(collection, `${folder}/`, child);
  }
}

/** Gives the folder of the operator. */
async function collectFamily(collection: Collection, below: string, instance: Instance): Promise<string> {
  const { session, bundle } = collection;
  const versionName = instance.spec?.operatorVersion?.name ?? '';
  const version = await required(collection, 'operatorversion', `operatorversion ${versionName} does not exist`, () =>
    getOperatorVersion(session, instance),
  );
  const operatorName = version.spec?.operator?.name ?? '';
  const { namespace } = session;
  const operator = await required(collection, 'operator', `operator ${namespace}/${operatorName} does not exist`, () =>
    session.api.get({ ...OPERATORS, namespace, name: operatorName }),
  );
  const folder = `${below}operator_${operatorName}`;
  await bundle.writeYaml(`${folder}/${operatorName}.yaml`, operator);
  await bundle.writeYaml(`${folder}/operatorversion_${versionName}/${versionName}.yaml`, version);
  const name = instance.metadata.name ?? '';
  const own = `${folder}/instance_${name}`;
  await bundle.writeYaml(`${own}/${name}.yaml`, withoutSecrets(instance, version));
  const labelSelector = `${OPERATOR_LABEL}=${operatorName}`;
  await collectPods(collection, own, { target: pods(namespace), labelSelector });
  for (const [kind, group, resource] of KINDS) {
    await collectList(collection, own, { kind, target: { group, version: 'v1', resource, namespace }, labelSelector });
  }
  for (const [kind, group, resource] of CLUSTER_KINDS) {
    await collectList(collection, own, { kind, target: { group, version: 'v1', resource }, labelSelector });
  }
  return folder;
}

function pods(namespace: string) {
  return { group: '', version: 'v1', resource: 'pods', namespace };
}

async function required<T extends KubeObject>(
  { bundle }: Collection,
  kind: string,
  missing: string,
  read: () => Promise<T | undefined>,
): Promise<T> {
  try {
    const found = await read();
    if (found === undefined) throw new TerminalError(missing, 'NotFound');
    return found;
  } catch (error) {
    await bundle.writeError(`${kind}.err`, error);
    throw error;
  }
}

/** A bundle goes to other people: values of secret parameters stay here (KUDO wrote them). */
function withoutSecrets(instance: Instance, version: OperatorVersion): Instance {
  const secret = secretParameters(version);
  const parameters = Object.entries(instance.spec?.parameters ?? {}).map(([name, value]) => [
    name,
    secret.has(name) || isSecretParameter(name) ? '‹secret›' : value,
  ]);
  const { annotations = {}, ...metadata } = instance.metadata;
  // Annotations of Bravo and KUDO hold copies of the spec.
  const kept = Object.keys(annotations).filter((key) => !/kudo\.dev\/|last-applied/.test(key));
  return {
    ...instance,
    metadata: { ...metadata, annotations: Object.fromEntries(kept.map((key) => [key, annotations[key] ?? ''])) },
    spec: { ...instance.spec, parameters: Object.fromEntries(parameters) },
  };
}
