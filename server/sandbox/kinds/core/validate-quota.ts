import type { JsonObject } from '@/lib/json/json';
import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { compareQuantities, parseQuantity } from '@/lib/kube/quantity';
import { invalid, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { isQuotaResource } from '../validation/resource-names';

const POD_SCOPES = ['BestEffort', 'NotBestEffort', 'NotTerminating', 'Terminating'];
const SCOPES = [...POD_SCOPES, 'CrossNamespacePodAffinity', 'PriorityClass', 'VolumeAttributesClass'];
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const COUNTED = ['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'];
const WHOLE = [...COUNTED, 'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'];

/** A ResourceQuota (Kubernetes pkg/apis/core/validation ValidateResourceQuotaSpec). */
export function validateQuota(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const hard = objectOf(spec, 'hard') ?? {};
  for (const [name, amount] of Object.entries(hard)) {
    const field = `spec.hard[${name}]`;
    if (!name.includes('/')) {
      if (!isQuotaResource(name)) {
        faults.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
        faults.push(invalid(field, name, 'must be a standard resource for quota'));
      }
    } else for (const problem of qualifiedNameProblems(name)) faults.push(invalid(field, name, problem));
    if (typeof amount === 'string') checkAmount(name, amount, field, faults);
  }
  const names = Object.keys(hard).filter(isQuotaResource);
  validateScopes(textsOf(spec, 'scopes'), names, faults);
  validateScopeSelector(objectOf(spec, 'scopeSelector'), names, faults);
}

function checkAmount(name: string, amount: string, field: string, faults: Faults): void {
  if (compareQuantities(amount, '0') < 0) faults.push(invalid(field, amount, 'must be greater than or equal to 0'));
  const nano = parseQuantity(amount)?.nano;
  if (WHOLE.includes(name) && nano !== undefined && Number(nano) % 1e9 !== 0) {
    faults.push(invalid(field, amount, 'must be an integer'));
  }
}

function validateScopes(scopes: readonly string[], names: readonly string[], faults: Faults): void {
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) faults.push(invalid('spec.scopes', scopes, 'unsupported scope'));
    for (const name of names) {
      if (!fits(scope, name)) faults.push(invalid('spec.scopes', scopes, 'unsupported scope applied to resource'));
    }
  }
  for (const pair of OPPOSITES) {
    if (pair.every((scope) => scopes.includes(scope))) {
      faults.push(invalid('spec.scopes', scopes, 'conflicting scopes'));
    }
  }
}

const EXISTS_ONLY =
  "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** Scopes by what they are compared with; they are told without their number. */
function validateScopeSelector(selector: JsonObject | undefined, names: readonly string[], faults: Faults): void {
  const path = 'spec.scopeSelector.matchExpressions';
  for (const expression of objectsOf(selector, 'matchExpressions')) {
    const scope = textOf(expression, 'scopeName');
    const operator = textOf(expression, 'operator');
    const values = textsOf(expression, 'values');
    if (!SCOPES.includes(scope)) faults.push(invalid(`${path}.scopeName`, scope, 'unsupported scope'));
    for (const name of names) {
      if (!fits(scope, name)) faults.push(invalid(path, selector, 'unsupported scope applied to resource'));
    }
    if ([...POD_SCOPES, 'CrossNamespacePodAffinity'].includes(scope) && operator !== 'Exists') {
      faults.push(invalid(`${path}.operator`, operator, EXISTS_ONLY));
    }
    if (operator === 'In' || operator === 'NotIn') {
      const text = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) faults.push(required(`${path}.values`, text));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const text = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) faults.push(invalid(`${path}.values`, values, text));
    } else faults.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
}

/** Pods without requests are only counted; the other scopes know what pods ask for (IsResourceQuotaScopeValidForResource). */
function fits(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (POD_SCOPES.includes(scope) || scope === 'PriorityClass' || scope === 'CrossNamespacePodAffinity') {
    return name === 'pods' || /^((requests|limits)\.)?(cpu|memory)$/.test(name);
  }
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return true;
}

/** The scopes of a quota stay, in any order. */
export function validateQuotaUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const [now, before] = [object, old].map((each) => [...new Set(textsOf(objectOf(each, 'spec'), 'scopes'))].sort());
  if (now?.join() !== before?.join()) {
    faults.push(invalid('spec.scopes', objectOf(object, 'spec')?.scopes ?? null, 'field is immutable'));
  }
}
