import type { Environment } from '@marcbachmann/cel-js';
import type { JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { asCel } from './as-cel';
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
