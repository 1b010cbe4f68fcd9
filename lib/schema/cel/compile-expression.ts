import type { CelType } from '@/lib/cel/cel-type';
import { compile } from '@/lib/cel/compile';
import { CelCostExceeded, CelError, type CelValue } from '@/lib/cel/values';
import { limits } from '@/lib/limits/limits';

/** What an expression may name. */
export interface Scope {
  readonly [name: string]: CelValue;
}

/** What an expression has to give; `any` where nothing is asked for. */
export type Wanted = 'bool' | 'string' | 'any';

/** One expression, checked and ready to run. */
export interface CompiledExpression {
  readonly text: string;
  /** What is wrong with the expression itself, in the API server's words; such a one is not run. */
  readonly problem: string | undefined;
  /** The type of what it gives. */
  readonly type: CelType | undefined;
  /**
   * Runs it, and tells what that cost, also when it fails.
   *
   * @throws Error with cel-go's words for what cannot be evaluated
   */
  run(scope: Scope, spend?: (cost: number) => void): CelValue;
}

/** What one expression may cost (apiserver apis/cel PerCallLimit). */
const CALL_LIMIT = 1_000_000;

/** Compiles an expression of a policy or a webhook (apiserver admission/plugin/cel CompileCELExpression). */
export function compileExpression(
  text: string,
  variables: ReadonlyMap<string, CelType>,
  wanted: Wanted,
): CompiledExpression {
  if (text.length > limits.celRuleChars) {
    return refused(text, `compilation failed: the expression is longer than ${limits.celRuleChars} characters`);
  }
  const compiled = compile(text, variables);
  if ('problem' in compiled) return refused(text, compiled.problem);
  const { program, type } = compiled;
  if (wanted !== 'any' && type.kind !== wanted) return refused(text, `must evaluate to ${wanted} but got ${type}`);
  return {
    text,
    problem: undefined,
    type,
    run(scope, spend) {
      const { value, error, isTooCostly, cost } = program.run((name) => scope[name], CALL_LIMIT);
      spend?.(cost);
      if (error !== undefined) throw isTooCostly === true ? new CelCostExceeded(error) : new CelError(error);
      return value ?? null;
    },
  };
}

function refused(text: string, problem: string): CompiledExpression {
  return {
    text,
    problem,
    type: undefined,
    run() {
      throw new Error(problem);
    },
  };
}
