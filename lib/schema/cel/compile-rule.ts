import { BOOL, optionalOf, STRING } from '@/lib/cel/cel-type';
import { compile } from '@/lib/cel/compile';
import type { EvaluationResult } from '@/lib/cel/program';
import { CelOptional, type CelValue } from '@/lib/cel/values';
import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { JsonSchema, ValidationRule } from '@/lib/schema/json-schema';
import { type DeclaredType, declaredType } from './declared-type';
import { declaredValue } from './declared-values';

/** What one expression may cost (apiserver apis/cel PerCallLimit). */
export const CALL_LIMIT = 1_000_000;

/** One rule, checked and ready to run. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Compares with the value before the update. */
  readonly isTransition: boolean;
  /** What is wrong with the rule itself; such a rule is not run. */
  readonly problem: string | undefined;
  /** What is wrong with its `messageExpression`. */
  readonly messageProblem: string | undefined;
  /** Whether it holds, at a cost. */
  run(value: JsonValue, old: JsonValue | undefined): EvaluationResult;
  /** What `messageExpression` gives; undefined when there is none that can run. */
  message(value: JsonValue, old: JsonValue | undefined): EvaluationResult | undefined;
}

/** Compiles the rules of one schema node. `self` has the node's type; rules of the root also see name and kind. */
export function compileRules(schema: JsonSchema, isRoot: boolean): CompiledRule[] {
  const declared = declaredType(schema, isRoot);
  return (schema['x-kubernetes-validations'] ?? []).map((rule) =>
    declared === undefined
      ? refusedRule(rule, 'rule compiler initialization error: failed to convert to declType for CEL validation rules')
      : compileRule(rule, declared),
  );
}

function compileRule(rule: ValidationRule, declared: DeclaredType): CompiledRule {
  if (rule.rule.length + (rule.messageExpression ?? '').length > limits.celRuleChars) {
    return refusedRule(rule, `compilation failed: the rule is longer than ${limits.celRuleChars} characters`);
  }
  const before = rule.optionalOldSelf === true ? optionalOf(declared.type) : declared.type;
  const variables = new Map([
    ['self', declared.type],
    ['oldSelf', before],
  ]);
  const compiled = compile(rule.rule, variables);
  if ('problem' in compiled) return refusedRule(rule, compiled.problem);
  if (compiled.type.kind !== BOOL.kind) return refusedRule(rule, 'cel expression must evaluate to a bool');
  const message = compileMessage(rule.messageExpression, variables);
  const resolve = (value: JsonValue, old: JsonValue | undefined) => (name: string) =>
    name === 'self' ? declaredValue(value, declared) : oldValue(rule, declared, old);
  return {
    rule,
    isTransition: usesName(compiled.checked.names, 'oldSelf'),
    problem: undefined,
    messageProblem: message !== undefined && 'problem' in message ? message.problem : undefined,
    run: (value, old) => compiled.program.run(resolve(value, old), CALL_LIMIT),
    message: (value, old) =>
      message === undefined || 'problem' in message ? undefined : message.program.run(resolve(value, old), CALL_LIMIT),
  };
}

const usesName = (names: ReadonlyMap<unknown, string>, name: string): boolean => [...names.values()].includes(name);

function oldValue({ optionalOldSelf }: ValidationRule, declared: DeclaredType, old: JsonValue | undefined): CelValue {
  if (optionalOldSelf !== true) return old === undefined ? null : declaredValue(old, declared);
  return new CelOptional(old === undefined ? undefined : declaredValue(old, declared));
}

function compileMessage(text: string | undefined, variables: Parameters<typeof compile>[1]) {
  if (text === undefined || text === '') return undefined;
  const compiled = compile(text, variables);
  if ('problem' in compiled) return { problem: `messageExpression ${compiled.problem}` };
  return compiled.type.kind === STRING.kind ? compiled : { problem: 'messageExpression must evaluate to a string' };
}

/** A rule that cannot run. */
function refusedRule(rule: ValidationRule, problem: string): CompiledRule {
  const nothing = { messageProblem: undefined, isTransition: false };
  return { ...nothing, rule, problem, run: () => ({ error: problem, cost: 0 }), message: () => undefined };
}
