/** Steps that the expressions of one evaluation may take (apiserver celconfig RuntimeCELCostBudget). */
const STEPS = 10_000_000;
const ASK_STEPS = 350_000;
/** What the lists and maps of values without a schema may hold is known only when they are there. */
const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Bounds what expressions may cost. CEL always ends; it is nested macros over long lists that take time. The evaluator does
 * not count steps, so they are estimated before an expression runs: the size of the largest list or map that it can see, to
 * the power of how deep its macros are nested. That is coarser than cel-go, and never less.
 */
export class Budget {
  private left = STEPS;

  /** @param size members of the largest list or map of the request */
  constructor(private readonly size: number) {}

  /** @throws Error when the expression could take more than is left */
  spend(expression: string): void {
    this.take(Math.max(1, this.size) ** macroDepth(expression));
  }

  /** One question to the authorizer, which looks at all roles (apiserver cel/library AuthzCost). */
  ask(): void {
    this.take(ASK_STEPS);
  }

  private take(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new Error(SPENT);
  }
}

/** How deep macros stand inside each other; texts within the expression do not count. */
export function macroDepth(expression: string): number {
  const tokens = expression.match(
    /\.\s*(?:all|exists|exists_one|existsOne|map|filter|sortBy|transformList|transformMap)\s*\(|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]/g,
  );
  let deepest = 0;
  const open: boolean[] = [];
  let depth = 0;
  for (const token of tokens ?? []) {
    if (token === ')') depth -= open.pop() === true ? 1 : 0;
    else if (token === '(') open.push(false);
    else if (token.startsWith('.')) {
      open.push(true);
      deepest = Math.max(deepest, ++depth);
    }
  }
  return deepest;
}

/** Members of the largest list or map in a value. */
export function largestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce((largest: number, member) => Math.max(largest, largestIn(member)), members.length);
}
