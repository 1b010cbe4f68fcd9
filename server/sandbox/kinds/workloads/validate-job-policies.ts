import type { JsonObject } from '@/lib/json/json';
import { invalid, required } from '@/lib/schema/field-error';
import { asInternal, numberOf, objectOf, objectsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';

/** How a Job may fail and succeed early (Kubernetes pkg/apis/batch/validation). */
export function validateJobPolicies(spec: JsonObject, path: string, faults: Faults): void {
  const hasLimit = spec.backoffLimitPerIndex !== undefined;
  if (spec.maxFailedIndexes !== undefined && !hasLimit && spec.completionMode === 'Indexed') {
    faults.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  const failure = objectOf(spec, 'podFailurePolicy');
  for (const [index, rule] of objectsOf(failure, 'rules').entries()) {
    const field = `${path}.podFailurePolicy.rules[${index}]`;
    checkOneOf(rule.action, `${field}.action`, ['Count', 'FailIndex', 'FailJob', 'Ignore'], faults);
    if (rule.action === 'FailIndex' && !hasLimit) {
      faults.push(invalid(`${field}.action`, 'FailIndex', 'requires the backoffLimitPerIndex to be set'));
    }
    const kinds = [rule.onExitCodes, rule.onPodConditions].filter((each) => each !== undefined);
    if (kinds.length === 2) {
      const text = 'specifying both OnExitCodes and OnPodConditions is not supported';
      faults.push(invalid(field, asInternal(rule), text));
    } else if (kinds.length === 0) {
      faults.push(invalid(field, asInternal(rule), 'specifying one of OnExitCodes and OnPodConditions is required'));
    }
  }
  const success = objectOf(spec, 'successPolicy');
  if (success !== undefined) validateSuccess(spec, success, `${path}.successPolicy`, faults);
}

function validateSuccess(spec: JsonObject, policy: JsonObject, path: string, faults: Faults): void {
  if (spec.completionMode !== 'Indexed') {
    faults.push(invalid(path, asInternal(policy), 'requires indexed completion mode'));
    return;
  }
  const rules = objectsOf(policy, 'rules');
  if (rules.length === 0) {
    const text = 'at least one rules must be specified when the successPolicy is specified';
    faults.push(required(`${path}.rules`, text));
  }
  const completions = numberOf(spec, 'completions') ?? 0;
  for (const [index, rule] of rules.entries()) {
    const field = `${path}.rules[${index}]`;
    const count = numberOf(rule, 'succeededCount');
    if (count === undefined && rule.succeededIndexes === undefined) {
      faults.push(required(field, 'at least one of succeededCount or succeededIndexes must be specified'));
    }
    if (count !== undefined && count > completions) {
      const text = `must be less than or equal to ${completions} (the number of specified completions)`;
      faults.push(invalid(`${field}.succeededCount`, count, text));
    }
  }
}
