import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { duplicate, invalid, required } from '@/lib/schema/field-error';
import { objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';

/** A StorageClass (Kubernetes pkg/apis/storage/validation). */
export function validateStorageClass(object: JsonObject, faults: Faults): void {
  const provisioner = textOf(object, 'provisioner');
  if (provisioner === '') faults.push(required('provisioner'));
  else {
    for (const problem of qualifiedNameProblems(provisioner.toLowerCase())) {
      faults.push(invalid('provisioner', provisioner, problem));
    }
  }
  checkOneOf(object.reclaimPolicy, 'reclaimPolicy', ['Delete', 'Retain'], faults);
  const modes = ['Immediate', 'WaitForFirstConsumer'];
  if (object.volumeBindingMode === undefined) faults.push(required('volumeBindingMode'));
  else checkOneOf(object.volumeBindingMode, 'volumeBindingMode', modes, faults);
  checkTopologies(object, faults);
}

/** Where the volumes of a class may be made: no key, value or term twice (validateAllowedTopologies). */
function checkTopologies(object: JsonObject, faults: Faults): void {
  const terms = new Set<string>();
  for (const [index, term] of objectsOf(object, 'allowedTopologies').entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const valuesByKey = new Map<string, string[]>();
    for (const [at, expression] of objectsOf(term, 'matchLabelExpressions').entries()) {
      const key = textOf(expression, 'key');
      const values = textsOf(expression, 'values');
      if (values.length === 0) faults.push(required(`${path}[${at}].values`));
      for (const [position, value] of values.entries()) {
        if (values.indexOf(value) < position) faults.push(duplicate(`${path}[${at}].values[${position}]`, value));
      }
      for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${path}[${at}].key`, key, problem));
      if (valuesByKey.has(key)) faults.push(duplicate(`${path}[${at}].key`, key));
      valuesByKey.set(key, [...new Set(values)].sort());
    }
    const identity = JSON.stringify([...valuesByKey].sort());
    if (terms.has(identity) || valuesByKey.size === 0) faults.push(duplicate(path, ''));
    terms.add(identity);
  }
}

export function validateStorageClassUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  for (const key of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    if (!jsonEqual(object[key], old[key])) faults.push(invalid(key, object[key] ?? null, 'field is immutable'));
  }
}
