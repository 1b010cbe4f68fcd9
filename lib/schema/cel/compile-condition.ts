import type { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { problemOf, sharedEnvironment } from './compile-rule';
import { withSafeMatches } from './escape-names';

/** What a condition of a webhook may look at; `null` where there is no such object. */
export interface ConditionVariables {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
}

/** Decides. @throws Error with cel-go's words for what cannot be evaluated */
export type Condition = (variables: ConditionVariables) => boolean;

let known: Environment | undefined;

/** One expression of `matchConditions` (Kubernetes apiserver admission/plugin/webhook/matchconditions). */
export function compileCondition(expression: string): Condition {
  known ??= ['object', 'oldObject', 'request'].reduce(
    (env, name) => env.registerVariable(name, 'dyn'),
    sharedEnvironment().clone(),
  );
  const text = withSafeMatches(expression);
  const tooLong = expression.length > limits.celRuleChars ? 'the expression is too long' : undefined;
  const problem = tooLong ?? problemOf(text, known, 'bool');
  if (problem !== undefined) {
    return () => {
      throw new Error(problem);
    };
  }
  const run = known.parse(text);
  return ({ object, oldObject, request }) => {
    const holds: unknown = run({ object: asCel(object), oldObject: asCel(oldObject), request: asCel(request) });
    if (typeof holds !== 'boolean') throw new Error('the expression does not give a bool');
    return holds;
  };
}

/**
 * Objects of a condition have no schema: their members are keys of maps, whole numbers are CEL's integers. What holds none is
 * given as it is, not copied: nearly all of an object is text.
 */
function asCel(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return arrayAsCel(value);
  return isJsonObject(value) ? mapAsCel(value) : value;
}

function arrayAsCel(list: readonly JsonValue[]): readonly unknown[] {
  const items = list.map(asCel);
  return items.some((item, index) => item !== list[index]) ? items : list;
}

function mapAsCel(map: JsonObject): { readonly [key: string]: unknown } {
  let copy: { [key: string]: unknown } | undefined;
  for (const key of Object.keys(map)) {
    const member = map[key] ?? null;
    const converted = key === '__proto__' ? undefined : asCel(member);
    if (converted === member) continue;
    copy ??= { ...map };
    if (key === '__proto__') delete copy[key];
    else copy[key] = converted;
  }
  return copy ?? map;
}
