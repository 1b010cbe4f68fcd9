import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Collected } from './find-parameters';
import { displayTitle, upperSnake } from './parameter-list';

/**
 * Makes one parameter of an environment variable that several containers have with the same value. Its name is the variable's. The
 * objects are changed.
 */
export function findRepeatedVariables(objects: readonly KubeObject[], collected: Collected): void {
  const byVariable = new Map<string, JsonObject[]>();
  for (const variable of objects.flatMap((object) => variablesBelow(object as unknown as JsonValue))) {
    const { name, value } = variable;
    if (typeof value !== 'string' || value === '' || value.includes('$(') || collected.slots.has(value)) continue;
    const identity = JSON.stringify([name, value]);
    byVariable.set(identity, [...(byVariable.get(identity) ?? []), variable]);
  }
  for (const holders of byVariable.values()) {
    const [first] = holders;
    if (first === undefined || holders.length < 2) continue;
    const name = collected.parameters.add({
      name: upperSnake(String(first.name)),
      displayName: displayTitle(upperSnake(String(first.name))),
      description: `Environment variable ${first.name} of ${holders.length} containers.`,
      type: 'string',
      default: first.value ?? '',
      group: 'general',
    });
    for (const each of holders) each.value = collected.slots.token(`.Params.${name} | quote`);
    collected.note('info', `${first.name} occurs ${holders.length} times with one value and is the parameter ${name}.`);
  }
}

function variablesBelow(value: JsonValue): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(variablesBelow);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'env' && Array.isArray(member) ? member.filter(isJsonObject) : variablesBelow(member),
  );
}
