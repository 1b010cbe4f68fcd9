import type { Checked } from './check-expression';
import { constantsOf } from './constants';
import { ExpressionRun, type Resolve } from './evaluate';
import type { Expr } from './syntax-tree';
import { CelCostExceeded, CelError, type CelValue } from './values';

/** A value or a runtime error, and the cost. */
export interface EvaluationResult {
  readonly value?: CelValue;
  readonly error?: string;
  readonly isTooCostly?: boolean;
  readonly cost: number;
}

/** A checked expression, ready to run. @throws CelError for a constant that cannot be, such as `int('a')` */
export class CelProgram {
  private readonly constants: ReadonlyMap<Expr, CelValue>;

  constructor(private readonly checked: Checked) {
    this.constants = constantsOf(checked, (node) => this.inner(node));
  }

  private inner(node: Expr): CelValue {
    return new ExpressionRun(this.checked, new Map(), () => undefined, Number.POSITIVE_INFINITY).evaluate(
      node,
      undefined,
    );
  }

  /** Evaluates the expression; stops when the cost exceeds `limit` (cel-go's cost units). */
  run(resolve: Resolve, limit: number): EvaluationResult {
    const run = new ExpressionRun(this.checked, this.constants, resolve, limit);
    try {
      return { value: run.evaluate(this.checked.tree, undefined), cost: run.cost };
    } catch (error) {
      if (error instanceof CelCostExceeded) return { error: error.message, isTooCostly: true, cost: run.cost };
      if (error instanceof CelError) return { error: error.message, cost: run.cost };
      throw error;
    }
  }
}
