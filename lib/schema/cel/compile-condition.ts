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

/** Objects of a condition have no schema: their members are keys of maps, whole numbers are CEL's integers. */
function asCel(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(asCel);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(members.map(([key, member]) => [key, asCel(member)]));
}
