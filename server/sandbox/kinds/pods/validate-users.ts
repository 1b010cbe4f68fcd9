import type { JsonObject, JsonValue } from '@/lib/json/json';
import { invalid } from '@/lib/schema/field-error';
import type { Faults } from '../kind-rules';

const MAX_ID = 2_147_483_647;
const RANGE = `must be between 0 and ${MAX_ID}, inclusive`;

/** The numbers of users and groups in the securityContext of a pod or container (validation.IsValidUserID). */
export function validateUsers(context: JsonObject | undefined, path: string, faults: Faults): void {
  for (const key of ['runAsUser', 'runAsGroup', 'fsGroup']) checkId(context?.[key], `${path}.${key}`, faults);
  const groups = context?.supplementalGroups;
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    checkId(group, `${path}.supplementalGroups[${index}]`, faults);
  }
}

function checkId(id: JsonValue | undefined, field: string, faults: Faults): void {
  if (typeof id === 'number' && (id < 0 || id > MAX_ID)) faults.push(invalid(field, id, RANGE));
}
