import { DYN } from '@/lib/cel/cel-type';
import type { CelValue } from '@/lib/cel/values';
import { compileBool, EXPRESSION_VARIABLES } from '@/lib/kudo/plan-metadata/precondition-expression';
import type { CompiledExpression } from '@/lib/schema/cel/compile-expression';

/** `includeWhen` sees `objects`, `params` and `instance`; `readyWhen` also `self`. */
export type RuleKind = 'includeWhen' | 'readyWhen';

const VARIABLES = {
  includeWhen: EXPRESSION_VARIABLES,
  readyWhen: new Map([...EXPRESSION_VARIABLES, ['self', DYN]]),
} as const;

/** Compiles an expression of a rule; `problem` says what is wrong with it. */
export function compileRule(expression: string, kind: RuleKind): CompiledExpression {
  return compileBool(expression, VARIABLES[kind]);
}

/** What the variables of rules stand for. */
export interface RuleFacts {
  readonly params: CelValue;
  readonly objects: CelValue;
  readonly instance: CelValue;
}

/** `holds`, or a sentence part that says why an expression does not, or cannot be evaluated. It never holds a value. */
export type RuleVerdict = 'holds' | { readonly isFalse: boolean; readonly why: string };

const SHOWN_CHARS = 200;

/** The first expression of a list that does not hold decides. */
export function judgeConditions(
  expressions: readonly string[],
  kind: RuleKind,
  facts: RuleFacts & { readonly self?: CelValue },
): RuleVerdict {
  for (const expression of expressions) {
    const shown = expression.length > SHOWN_CHARS ? `${expression.slice(0, SHOWN_CHARS - 1)}…` : expression;
    const compiled = compileRule(expression, kind);
    if (compiled.problem !== undefined) return { isFalse: false, why: `${kind} is no expression: ${compiled.problem}` };
    try {
      const result = compiled.run({ ...facts });
      if (typeof result !== 'boolean') return { isFalse: false, why: `${kind} gives no bool: ${shown}` };
      if (!result) return { isFalse: true, why: `${kind} does not hold: ${shown}` };
    } catch {
      // The message of an error of CEL may hold a value; while a field does not exist, the expression does not hold.
      return { isFalse: true, why: `${kind} cannot be evaluated yet: ${shown}` };
    }
  }
  return 'holds';
}
