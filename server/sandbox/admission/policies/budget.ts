/** What the expressions of one policy may cost together (apiserver apis/cel RuntimeCELCostBudget). */
const BUDGET = 10_000_000;
const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Counts what expressions cost, in cel-go's units. */
export class Budget {
  private left = BUDGET;

  /** @throws Error when more is spent than there was */
  readonly spend = (cost: number): void => {
    this.left -= cost;
    if (this.left < 0) throw new Error(SPENT);
  };
}
