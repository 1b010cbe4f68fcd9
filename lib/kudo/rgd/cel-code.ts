import type { Expr } from '@/lib/cel/syntax-tree';

/** The types that decide how a value is written; `any` for what only the cluster knows. */
export type CodeType = 'string' | 'int' | 'double' | 'bool' | 'list' | 'map' | 'any';

/** Code of a template that gives the value of an expression: an operand, in parentheses where it has arguments. */
export interface CelCode {
  readonly code: string;
  readonly type: CodeType;
}

/** An expression that has no counterpart in templates. The message is the rest of a sentence about it. */
export class NoCounterpart extends Error {}

/** Converts the parts of an expression. */
export interface CelCodeConverter {
  /** @throws NoCounterpart */
  convert(node: Expr): CelCode;
  /** A condition as templates test it. @throws NoCounterpart */
  condition(node: Expr): string;
}

/** A function with its arguments, as an operand. */
export function callCode(name: string, ...operands: readonly string[]): string {
  return operands.length === 0 ? `(${name})` : `(${[name, ...operands].join(' ')})`;
}
