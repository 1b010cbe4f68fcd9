import { fromJson } from '@/lib/cel/json-values';
import { CONDITION_VARIABLES } from '@/lib/cel/policy-types';
import type { CelValue } from '@/lib/cel/values';
import type { JsonObject } from '@/lib/json/json';
import { compileExpression } from './compile-expression';

/** What a condition of a webhook may look at; `null` where there is no such object. */
export interface ConditionVariables {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  /** The namespace of the request. */
  readonly namespaceObject?: JsonObject | null;
  /** `authorizer` and `authorizer.requestResource`. */
  readonly authority?: { readonly [name: string]: CelValue };
}

/** Decides. @throws Error with cel-go's words for what cannot be evaluated */
export type CompiledCondition = (variables: ConditionVariables) => boolean;

/** One expression of `matchConditions` (Kubernetes apiserver admission/plugin/webhook/matchconditions). */
export function compileCondition(expression: string): CompiledCondition {
  const compiled = compileExpression(expression, CONDITION_VARIABLES, 'bool');
  return ({ object, oldObject, request, namespaceObject = null, authority = {} }) =>
    compiled.run({
      ...authority,
      object: fromJson(object),
      oldObject: fromJson(oldObject),
      request: fromJson(request),
      namespaceObject: fromJson(namespaceObject),
    }) === true;
}
