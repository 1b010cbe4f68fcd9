import type { Environment } from '@marcbachmann/cel-js';
import { limits } from '@/lib/limits/limits';
import { problemOf, runtimeProblem, sharedEnvironment } from './compile-rule';
import { withSafeMatches } from './escape-names';

/** What an expression may name, each value as `asCel` gives it. */
export interface Scope {
  readonly [name: string]: unknown;
}

/** One expression, checked and ready to run. */
export interface CompiledExpression {
  readonly text: string;
  /** What is wrong with the expression itself, in cel-go's words where it has them; such a one is not run. */
  readonly problem: string | undefined;
  /** @throws Error with cel-go's words for what cannot be evaluated */
  run(scope: Scope): unknown;
}

const environments = new Map<string, Environment>();

/**
 * Compiles an expression over variables without schemas.
 *
 * @param names the variables that it may use
 * @param wanted what it has to give; `any` where nothing is asked for
 */
export function compileExpression(
  text: string,
  names: readonly string[],
  wanted: 'bool' | 'string' | 'any',
): CompiledExpression {
  const env = environmentWith(names);
  const safe = withSafeMatches(text);
  const tooLong = `compilation failed: the expression is longer than ${limits.celRuleChars} characters`;
  const problem = text.length > limits.celRuleChars ? tooLong : problemOf(safe, env, wanted);
  const parsed = problem === undefined ? env.parse(safe) : undefined;
  return {
    text,
    problem,
    run(scope) {
      if (parsed === undefined) throw new Error(problem);
      try {
        return parsed({ ...scope });
      } catch (error) {
        throw new Error(runtimeProblem(error));
      }
    },
  };
}

function environmentWith(names: readonly string[]): Environment {
  const key = names.join();
  const known = environments.get(key);
  if (known !== undefined) return known;
  const made = names.reduce((env, name) => env.registerVariable(name, 'dyn'), sharedEnvironment().clone());
  environments.set(key, made);
  return made;
}
