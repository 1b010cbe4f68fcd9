import { type CelType, INT } from './cel-type';
import { type Checked, checkExpression } from './check-expression';
import { describeFindings, type Finding } from './expression-error';
import { literalFindings } from './literal-findings';
import { parseExpression } from './parse-expression';
import { planProblem } from './plan-problem';
import { CelProgram } from './program';
import type { Variables } from './scopes';
import { CelError } from './values';

/** An expression that is ready to run, or all errors with the API server's messages. */
export type Compiled =
  | { readonly problem: string }
  | { readonly checked: Checked; readonly program: CelProgram; readonly type: CelType };

/** Parses and checks an expression over the given variables (apiserver cel environment of Kubernetes 1.36). */
export function compile(text: string, variables: Variables): Compiled {
  const parsed = parseExpression(text);
  if ('problem' in parsed) return { problem: `compilation failed: ${parsed.problem}` };
  const result = checkExpression(text, parsed.tree, variables);
  if ('problem' in result) return { problem: `compilation failed: ${result.problem}` };
  const { checked } = result;
  const findings: Finding[] = literalFindings(checked);
  if (findings.length > 0) return { problem: `compilation failed: ${describeFindings(text, findings)}` };
  const problem = planProblem(checked.tree);
  if (problem !== undefined) return { problem: `program instantiation failed: ${problem}` };
  try {
    const program = new CelProgram(checked);
    return { checked, program, type: checked.types.get(checked.tree) ?? INT };
  } catch (error) {
    if (error instanceof CelError) return { problem: `program instantiation failed: ${error.message}` };
    throw error;
  }
}
