import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { invalid } from '@/lib/schema/field-error';
import type { Faults } from '../base/kind-rules';

export function validateStorageClassUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  for (const key of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    if (!jsonEqual(object[key], old[key])) faults.push(invalid(key, object[key] ?? null, 'field is immutable'));
  }
}
