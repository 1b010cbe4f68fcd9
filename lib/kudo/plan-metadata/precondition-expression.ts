import { type CelType, DYN, mapTypeOf, STRING } from '@/lib/cel/cel-type';
import { parseExpression } from '@/lib/cel/parse-expression';
import { limits } from '@/lib/limits/limits';
import { type CompiledExpression, compileExpression } from '@/lib/schema/cel/compile-expression';

/** What an expression of a precondition may name. */
export const EXPRESSION_VARIABLES = new Map([
  ['params', mapTypeOf(STRING, DYN)],
  ['instance', DYN],
  ['objects', mapTypeOf(STRING, DYN)],
]);

/** Compiles the CEL of a precondition; `problem` says what is wrong with it. */
export function compilePrecondition(expression: string): CompiledExpression {
  return compileBool(expression, EXPRESSION_VARIABLES);
}

/** Compiles CEL that gives a bool; `problem` says what is wrong with it. */
export function compileBool(expression: string, variables: ReadonlyMap<string, CelType>): CompiledExpression {
  if (expression.length > limits.planExpressionChars) {
    const problem = `the expression is longer than ${limits.planExpressionChars} characters`;
    return { text: '', problem, type: undefined, run: () => null };
  }
  const compiled = compileExpression(expression, variables, 'any');
  const { type } = compiled;
  // The lines after the first one draw an arrow to the place.
  if (compiled.problem !== undefined) return { ...compiled, problem: compiled.problem.split('\n', 1)[0] };
  if (type === undefined || type.kind === 'bool' || type.kind === 'dyn') return compiled;
  return { ...compiled, problem: `the expression must give a bool, not ${type}` };
}

/** The members of a variable that an expression names: `A` and `B` of `params.A > 1 && has(params.B)`. */
export function namedMembers(expression: string, variable: 'params' | 'objects'): ReadonlySet<string> {
  const parsed = parseExpression(expression);
  const names = new Set<string>();
  if ('tree' in parsed) collect(parsed.tree, variable, names);
  return names;
}

function collect(node: unknown, variable: string, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && node.kind === 'select' && 'operand' in node && 'field' in node) {
    const { operand, field } = node;
    if (isVariable(operand, variable) && typeof field === 'string') names.add(field);
  }
  for (const member of Object.values(node)) collect(member, variable, names);
}

function isVariable(node: unknown, variable: string): boolean {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'ident' && 'name' in node
    ? node.name === variable
    : false;
}
