import { type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { formatApiVersion } from '@/lib/kube/object';
import { matchesLabelSelector } from '@/lib/kube/selector';
import { inVersion } from '../../registry/convert';
import type { Registry } from '../../registry/registry';
import type { ResourceInfo } from '../../registry/resource-info';
import { objectKey } from '../../store/collection';
import type { AdmissionRequest } from '../gate';
import type { Policy } from './policy';

/** A policy or binding that cannot be used as it is; its failure policy says what that means. */
export class ConfigurationProblem extends Error {}

/**
 * What a policy is evaluated with for one binding: once for each parameter object, once with none when the policy has no
 * parameters or the binding names none (Kubernetes apiserver admission/plugin/policy/generic CollectParams).
 *
 * @throws ConfigurationProblem
 */
export function collectParams(
  registry: Registry,
  policy: Policy,
  reference: JsonObject | undefined,
  request: AdmissionRequest,
): (KubeObject | undefined)[] {
  const kind = policy.paramKind;
  if (kind === undefined) return [undefined];
  const info = registry.table
    .all()
    .find((each) => each.kind === kind.kind && formatApiVersion(each.group, each.version) === kind.apiVersion);
  if (info === undefined) {
    throw new ConfigurationProblem(
      `failed to find resource referenced by paramKind: '${kind.apiVersion}, Kind=${kind.kind}'`,
    );
  }
  if (reference === undefined) return [undefined];
  const found = find(registry, info, reference, namespaceFor(info, reference, request));
  if (found.length === 0 && reference.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationProblem('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return found;
}

function namespaceFor(info: ResourceInfo, reference: JsonObject, request: AdmissionRequest): string | undefined {
  const given = stringAt(reference, 'namespace') ?? '';
  if (!info.namespaced) {
    if (given === '') return undefined;
    throw new ConfigurationProblem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = given === '' ? (request.namespace ?? '') : given;
  if (namespace !== '') return namespace;
  throw new ConfigurationProblem(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

function find(
  registry: Registry,
  info: ResourceInfo,
  reference: JsonObject,
  namespace: string | undefined,
): KubeObject[] {
  const name = stringAt(reference, 'name') ?? '';
  if (name !== '') {
    const stored = registry.store.get(info.storage, objectKey(namespace, name));
    return stored === undefined ? [] : [inVersion(info, stored).object];
  }
  const selector = objectAt(reference, 'selector');
  return [...registry.store.collection(info.storage).entries(namespace)]
    .map(([, stored]) => inVersion(info, stored).object)
    .filter((object) => matchesLabelSelector(selector, object.metadata.labels));
}
