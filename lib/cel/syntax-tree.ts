import type { CelValue } from './values';

/** One node of an expression; `at` is its offset in the text, in characters. */
export type Expr = Literal | Ident | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | Fold;

export interface Literal {
  readonly kind: 'literal';
  readonly at: number;
  readonly value: CelValue;
}

export interface Ident {
  readonly kind: 'ident';
  readonly at: number;
  name: string;
}

export interface SelectExpr {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  /** `has(a.b)`. */
  readonly isTest: boolean;
}

export interface CallExpr {
  readonly kind: 'call';
  readonly at: number;
  name: string;
  target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly Expr[];
  /** The places of items written as `?item`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface StructExpr {
  readonly kind: 'struct';
  readonly at: number;
  name: string;
  readonly fields: readonly StructField[];
}

/** What macros such as `all` become: a loop over a list or map that carries one value along. */
export interface Fold {
  readonly kind: 'fold';
  readonly at: number;
  readonly range: Expr;
  readonly variable: string;
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A call of a function that belongs to no value, such as an operator. */
export const call = (at: number, name: string, ...args: Expr[]): CallExpr => ({
  kind: 'call',
  at,
  name,
  target: undefined,
  args,
});
