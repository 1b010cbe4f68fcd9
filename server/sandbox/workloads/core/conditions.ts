import { type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';

/** The condition of a type in a list of conditions. */
export function findCondition(conditions: readonly JsonValue[], type: string): JsonObject | undefined {
  const found = conditions.find((condition) => stringAt(condition, 'type') === type);
  return found === undefined ? undefined : objectAt(found);
}

/** The list without the condition of a type. */
export function withoutCondition(conditions: readonly JsonValue[], type: string): JsonValue[] {
  return conditions.filter((condition) => stringAt(condition, 'type') !== type);
}

/**
 * The list with a condition set: the same status and reason changes nothing, the same status keeps its transition time,
 * and a changed condition moves to the end (Kubernetes SetDeploymentCondition, SetCondition).
 */
export function withCondition(conditions: readonly JsonValue[], condition: JsonObject): JsonValue[] {
  const type = stringAt(condition, 'type') ?? '';
  const present = findCondition(conditions, type);
  if (present !== undefined && present.status === condition.status && present.reason === condition.reason) {
    return [...conditions];
  }
  const kept =
    present !== undefined && present.status === condition.status && present.lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime: present.lastTransitionTime }
      : condition;
  return [...withoutCondition(conditions, type), kept];
}

/** The same object without members that are 0 or undefined, as Go leaves out empty numbers. */
export function withoutZeros(status: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(status)) {
    if (value !== undefined && value !== 0) result[key] = value;
  }
  return result;
}
