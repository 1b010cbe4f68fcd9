import type { Fact, Invariant } from './fact';

/** Runs several invariants over one run; the violations come in the order in which they happened, each once. */
export function observe(invariants: readonly Invariant[]): { take(fact: Fact): void; violations: readonly string[] } {
  const violations: string[] = [];
  const report = (violation: string): void => {
    if (!violations.includes(violation)) violations.push(violation);
  };
  const checks = invariants.map((invariant) => invariant(report));
  return {
    violations,
    take(fact) {
      for (const check of checks) check(fact);
    },
  };
}
