import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { duplicate, forbidden, invalid, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';

const QUOTA_NAMES = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
];

/** A ResourceQuota (Kubernetes pkg/apis/core/validation ValidateResourceQuotaSpec). */
export function validateQuota(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  for (const [name, amount] of Object.entries(objectOf(spec, 'hard') ?? {})) {
    const field = `spec.hard[${name}]`;
    if (!name.includes('/')) {
      if (!QUOTA_NAMES.has(name) && !name.startsWith('hugepages-')) {
        faults.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
        faults.push(invalid(field, name, 'must be a standard resource for quota'));
      }
    } else for (const problem of qualifiedNameProblems(name)) faults.push(invalid(field, name, problem));
    if (typeof amount === 'string' && compareQuantities(amount, '0') < 0) {
      faults.push(invalid(field, amount, 'must be greater than or equal to 0'));
    }
  }
  for (const scope of textsOf(spec, 'scopes')) {
    if (!SCOPES.includes(scope)) faults.push(invalid('spec.scopes', textsOf(spec, 'scopes'), 'unsupported scope'));
  }
}

export function validateQuotaUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const [now, before] = [object, old].map((each) => objectOf(each, 'spec')?.scopes ?? []);
  if (!jsonEqual(now, before)) faults.push(invalid('spec.scopes', now ?? null, 'field is immutable'));
}

/** The pairs of bounds of a limit: the first must not be above the second. */
const ORDERED = [
  ['min', 'max', 'min', 'min value', 'max value'],
  ['min', 'default', 'min', 'min value', 'default value'],
  ['min', 'defaultRequest', 'defaultRequest', 'min value', 'default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'default request value', 'max value'],
  ['defaultRequest', 'default', 'defaultRequest', 'default request value', 'default limit value'],
  ['default', 'max', 'default', 'default value', 'max value'],
] as const;

/** A LimitRange (ValidateLimitRange). */
export function validateLimitRange(object: JsonObject, faults: Faults): void {
  const types = new Set<string>();
  for (const [index, item] of objectsOf(objectOf(object, 'spec'), 'limits').entries()) {
    const path = `spec.limits[${index}]`;
    const type = textOf(item, 'type');
    if (type === '') faults.push(required(`${path}.type`));
    if (types.has(type)) faults.push(duplicate(`${path}.type`, type));
    types.add(type);
    if (type === 'Pod') {
      for (const key of ['default', 'defaultRequest']) {
        const words = "may not be specified when `type` is 'Pod'";
        if (Object.keys(objectOf(item, key) ?? {}).length > 0) faults.push(forbidden(`${path}.${key}`, words));
      }
    }
    for (const [low, high, at, lowWords, highWords] of ORDERED) {
      for (const [name, amount] of Object.entries(objectOf(item, low) ?? {})) {
        const bound = objectOf(item, high)?.[name];
        if (typeof amount !== 'string' || typeof bound !== 'string' || compareQuantities(amount, bound) <= 0) continue;
        const shown = objectOf(item, at)?.[name] ?? amount;
        faults.push(
          invalid(`${path}.${at}[${name}]`, shown, `${lowWords} ${amount} is greater than ${highWords} ${bound}`),
        );
      }
    }
  }
}

/** A node's taints. */
export function validateNode(object: JsonObject, faults: Faults): void {
  const seen = new Set<string>();
  for (const [index, taint] of objectsOf(objectOf(object, 'spec'), 'taints').entries()) {
    const field = `spec.taints[${index}]`;
    const key = textOf(taint, 'key');
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${field}.key`, key, problem));
    checkOneOf(taint.effect ?? '', `${field}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], faults);
    const identity = `${key}:${textOf(taint, 'effect')}`;
    if (seen.has(identity)) faults.push(duplicate(field, { Key: key, Effect: taint.effect ?? '' }));
    seen.add(identity);
  }
}
