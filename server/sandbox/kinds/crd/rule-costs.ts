import { forbidden } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';

/** What one rule, and all rules of a schema together, may cost at most (apiextensions StaticEstimatedCostLimit and its sibling). */
const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

interface Cost {
  readonly field: string;
  readonly cost: number;
}

/** Adds up what the rules of one schema can cost (apiextensions validation TotalCost). */
export class RuleCosts {
  private total = 0;
  private largest: readonly Cost[] = [];

  constructor(private readonly faults: Faults) {}

  /** @param what `rule` or `messageExpression` */
  observe(field: string, what: 'rule' | 'messageExpression', cost: number): void {
    this.total += cost;
    if (cost >= SCHEMA_LIMIT / 100) {
      const sorted = [...this.largest, { field: `${field}.${what}`, cost }].sort((a, b) => b.cost - a.cost);
      this.largest = sorted.slice(0, 4);
    }
    if (cost <= RULE_LIMIT) return;
    this.faults.push(forbidden(`${field}.${what}`, exceeds(`estimated ${what} cost`, cost / RULE_LIMIT)));
  }

  /** What is to be said of the whole schema. */
  finish(path: string): void {
    if (this.total <= SCHEMA_LIMIT) return;
    const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    for (const { field } of this.largest) this.faults.push(forbidden(field, text));
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    this.faults.push(forbidden(path, exceeds(name, this.total / SCHEMA_LIMIT)));
  }
}

function exceeds(name: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${shown} ${ADVICE}`;
}

/** How many items or members below a node there may be for each of the node; undefined without a bound. */
export function mostBelow(schema: JsonSchema): number | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}
