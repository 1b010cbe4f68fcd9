import { Environment, Optional } from '@marcbachmann/cel-js';
import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { JsonSchema, ValidationRule } from '../json-schema';
import { mentions, withSafeMatches } from './escape-names';
import { registerLibraries } from './libraries';
import { TypeRegistry, toCel } from './rule-types';

/** Structure of one expression; what is larger is refused when the definition is made. */
const LIMITS = {
  maxAstNodes: 10_000,
  maxDepth: 100,
  maxListElements: 1_000,
  maxMapEntries: 1_000,
  maxCallArguments: 32,
};

let shared: Environment | undefined;

/** CEL with the libraries of Kubernetes; clone it before variables are added. */
export function sharedEnvironment(): Environment {
  shared ??= registerLibraries(
    new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true, limits: LIMITS }),
  );
  return shared;
}

/** The outcome of one rule on one value. */
export type RuleOutcome = { readonly holds: boolean } | { readonly problem: string };

/** One rule, checked and ready to run. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Compares with the value before the update. */
  readonly isTransition: boolean;
  /** What is wrong with the rule itself; such a rule is not run. */
  readonly problem: string | undefined;
  run(value: JsonValue, old: JsonValue | undefined): RuleOutcome;
  /** The text of `messageExpression`, when there is one and it gives a text. */
  message(value: JsonValue, old: JsonValue | undefined): string | undefined;
}

/** Compiles the rules of one schema node. `self` has the node's type; rules of the root also see name and kind. */
export function compileRules(schema: JsonSchema, isRoot: boolean): CompiledRule[] {
  const env = sharedEnvironment().clone();
  const type = new TypeRegistry(env).nameOf(schema, isRoot);
  env.registerVariable('self', type);
  const plain = env.clone().registerVariable('oldSelf', type);
  const optional = env.clone().registerVariable('oldSelf', `optional<${type}>`);
  return (schema['x-kubernetes-validations'] ?? []).map((rule) =>
    compileRule(rule, schema, rule.optionalOldSelf === true ? optional : plain),
  );
}

function compileRule(rule: ValidationRule, schema: JsonSchema, env: Environment): CompiledRule {
  if (rule.rule.length + (rule.messageExpression ?? '').length > limits.celRuleChars) return refusedRule(rule);
  const text = withSafeMatches(rule.rule);
  const isTransition = mentions(rule.rule, 'oldSelf');
  const problem = problemOf(text, env, 'bool');
  const duration = (source: string): unknown => {
    const call = source.startsWith('@')
      ? `timestamp(${JSON.stringify(source.slice(1))})`
      : `duration(${JSON.stringify(source)})`;
    return sharedEnvironment().evaluate(call);
  };
  const context = (value: JsonValue, old: JsonValue | undefined) => {
    const self = toCel(value, schema, duration);
    const before = toCel(old, schema, duration);
    if (rule.optionalOldSelf !== true) return { self, oldSelf: before };
    return { self, oldSelf: old === undefined ? Optional.none() : Optional.of(before) };
  };
  const parsed = problem === undefined ? env.parse(text) : undefined;
  const messageText = rule.messageExpression === undefined ? undefined : withSafeMatches(rule.messageExpression);
  const parsedMessage =
    messageText === undefined || problemOf(messageText, env, 'string') !== undefined
      ? undefined
      : env.parse(messageText);
  return {
    rule,
    isTransition,
    problem,
    run(value, old) {
      try {
        return { holds: parsed?.(context(value, old)) === true };
      } catch (error) {
        return { problem: runtimeProblem(error) };
      }
    },
    message(value, old) {
      try {
        const message: unknown = parsedMessage?.(context(value, old));
        return typeof message === 'string' && message.trim() !== '' && !message.includes('\n') ? message : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** A rule that is too long to be read. */
function refusedRule(rule: ValidationRule): CompiledRule {
  const problem = `compilation failed: the rule is longer than ${limits.celRuleChars} characters`;
  return { rule, isTransition: false, problem, run: () => ({ problem }), message: () => undefined };
}

/** What is wrong with an expression before it runs. */
export function problemOf(text: string, env: Environment, wanted: 'bool' | 'string' | 'any'): string | undefined {
  try {
    const checked = env.check(text);
    if (!checked.valid)
      return `compilation failed: ERROR: <input>:1:1: ${checked.error?.summary ?? 'invalid expression'}`;
    if (wanted === 'any' || checked.type === wanted || checked.type === 'dyn') return undefined;
    return wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to string';
  } catch (error) {
    return `compilation failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** cel-go's words for what goes wrong while a rule runs. */
export function runtimeProblem(error: unknown): string {
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const outOfBounds = /index (-?\d+) >= size/.exec(text) ?? /index (-?\d+)/.exec(text);
  if (text.includes('out of bounds') && outOfBounds !== null) return `index out of bounds: ${outOfBounds[1]}`;
  const missing = /^No such key: (.*)$/.exec(text);
  if (missing !== null) return `no such key: ${missing[1]}`;
  return /by zero/i.test(text) ? 'division by zero' : text;
}
