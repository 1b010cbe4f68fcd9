import { messageOf } from '@/lib/errors/errors';
import { evaluateCel, renderExpression } from './expression';
import type { ExpressionScope, OwnRule } from './types';

/** A rule that does not hold: reason and message of a condition. */
export interface BrokenRule {
  readonly reason: string;
  readonly message: string;
}

export interface JudgedRules {
  /** The first one that blocks. */
  readonly blocking: BrokenRule | undefined;
  /** The first one that does not. */
  readonly noted: BrokenRule | undefined;
}

/** Which rules of a kind a resource breaks. A rule that cannot be evaluated is broken. */
export function judgeRules(rules: readonly OwnRule[] = [], scope: ExpressionScope): JudgedRules {
  let [blocking, noted]: (BrokenRule | undefined)[] = [];
  for (const rule of rules) {
    if ((rule.blocks ? blocking : noted) !== undefined) continue;
    const broken = judge(rule, scope);
    if (rule.blocks) blocking = broken;
    else noted = broken;
  }
  return { blocking, noted };
}

function judge({ rule, reason, message }: OwnRule, scope: ExpressionScope): BrokenRule | undefined {
  try {
    if (evaluateCel(rule, scope) === true) return undefined;
    return { reason, message: message.includes('{{') ? renderExpression(message, scope) : message };
  } catch (error) {
    return { reason, message: messageOf(error) };
  }
}
