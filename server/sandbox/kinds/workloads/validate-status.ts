import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { invalid, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkNotNegative } from '../validation/numbers';

const REPLICAS = `replicas readyReplicas availableReplicas updatedReplicas currentReplicas fullyLabeledReplicas
  unavailableReplicas observedGeneration collisionCount`.split(/\s+/);

/** Counts of replicas: none below 0, and no part larger than the whole (Kubernetes pkg/apis/apps/validation). */
export function checkReplicas(parts: readonly string[]) {
  return (object: JsonObject, _old: JsonObject, faults: Faults): void => {
    const status = objectOf(object, 'status') ?? {};
    checkNotNegative(status, 'status', REPLICAS, faults);
    const count = (key: string) => numberOf(status, key) ?? 0;
    for (const part of parts) {
      if (count(part) > count('replicas')) {
        faults.push(invalid(`status.${part}`, count(part), 'cannot be greater than status.replicas'));
      }
    }
  };
}

/** Counts that only must not be negative. */
export function checkCounts(keys: readonly string[]) {
  return (object: JsonObject, _old: JsonObject, faults: Faults): void =>
    checkNotNegative(objectOf(object, 'status'), 'status', keys, faults);
}

/** The status of a Job (pkg/registry/batch/job getStatusValidationOptions, validateJobStatus). */
export function validateJobStatus(object: JsonObject, _old: JsonObject, faults: Faults): void {
  const status = objectOf(object, 'status') ?? {};
  checkNotNegative(status, 'status', ['active', 'succeeded', 'failed', 'ready', 'terminating'], faults);
  const isTrue = (type: string) =>
    objectsOf(status, 'conditions').some((each) => isJsonObject(each) && each.type === type && each.status === 'True');
  const complete = isTrue('Complete');
  const failed = isTrue('Failed');
  if (!complete && !failed) return;
  const active = numberOf(status, 'active') ?? 0;
  if (active > 0) faults.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  if (complete && status.completionTime === undefined) {
    faults.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  }
  const refuse = (text: string) =>
    faults.push({ field: 'status.conditions', type: 'FieldValueInvalid', message: `Invalid value: ${text}` });
  if (complete && failed) refuse('cannot set Complete=True and Failed=true conditions');
  if (complete && !isTrue('SuccessCriteriaMet')) {
    refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  if (failed && !isTrue('FailureTarget')) {
    refuse('cannot set Failed=True condition without the FailureTarget=true condition');
  }
}
