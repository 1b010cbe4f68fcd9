import { messageOf } from '@/lib/errors/errors';
import { type AuthorizerAnswer, type AuthorizerQuestion, CelAuthorizer } from '@/lib/schema/cel/authorizer';
import type { CompiledExpression, Scope } from '@/lib/schema/cel/compile-expression';
import { Budget } from './budget';
import type { Policy, Validation } from './policy';

/** A validation that did not hold, or could not be evaluated. */
export interface Refusal {
  readonly message: string;
  /** A reason of the API, `Invalid` where the policy names none. */
  readonly reason: string;
}

/** Values of the request, how large they are, and who may do what. */
export interface Evaluation {
  readonly scope: Scope;
  readonly size: number;
  readonly authority: Authority;
}

export interface Authority {
  /** The resource of the request, for `authorizer.requestResource`. */
  readonly own: Omit<AuthorizerQuestion, 'verb' | 'account' | 'path'>;
  decide(question: AuthorizerQuestion): AuthorizerAnswer;
}

const MAX_MESSAGE_BYTES = 5 * 1024;

/**
 * What a policy has against a request (Kubernetes apiserver admission/plugin/policy/validating Validate): nothing when one of
 * its conditions does not hold. What cannot be evaluated refuses under `failurePolicy: Fail` and is passed over under Ignore.
 */
export function refusalsOf(policy: Policy, { scope: given, size, authority }: Evaluation): Refusal[] {
  const budget = new Budget(size);
  const ask = (question: AuthorizerQuestion): AuthorizerAnswer => {
    budget.ask();
    return authority.decide(question);
  };
  const scope = { ...given, authorizer: new CelAuthorizer(ask, authority.own) };
  const run = (expression: CompiledExpression, values: Scope): unknown => {
    budget.spend(expression.text);
    return expression.run(values);
  };
  const values = { ...scope, variables: lazily(policy, scope, run) };
  const failed = (message: string): Refusal[] => (policy.ignoresFailure ? [] : [{ message, reason: 'Invalid' }]);
  const conditions = policy.conditions.map((condition) => outcome(condition, values, run));
  // One condition that does not hold decides, also beside one that cannot be evaluated.
  if (conditions.some((each) => each === false)) return [];
  const problems = conditions.filter((each) => typeof each === 'string');
  if (problems.length > 0) return failed(problems.join(', '));
  return policy.validations.flatMap((validation) => {
    const holds = outcome(validation.expression, values, run);
    if (holds === true) return [];
    if (typeof holds === 'string') return failed(holds);
    return [{ message: messageFor(validation, values, run), reason: validation.reason || 'Invalid' }];
  });
}

type Run = (expression: CompiledExpression, values: Scope) => unknown;

/** Whether it holds, or in the API server's words why that cannot be said. */
function outcome(expression: CompiledExpression, values: Scope, run: Run): boolean | string {
  if (expression.problem !== undefined) return `compilation error: ${expression.problem}`;
  try {
    return run(expression, values) === true;
  } catch (error) {
    const text = messageOf(error);
    return text.startsWith('validation failed') ? text : `expression '${expression.text}' resulted in error: ${text}`;
  }
}

/** Variables are evaluated when they are first asked for, each once; a later one may use those before it. */
function lazily(policy: Policy, scope: Scope, run: Run): object {
  const variables = {};
  for (const variable of policy.variables) {
    let known: { readonly value: unknown } | undefined;
    Object.defineProperty(variables, variable.name, {
      enumerable: true,
      get(): unknown {
        known ??= { value: run(variable, { ...scope, variables }) };
        return known.value;
      },
    });
  }
  return variables;
}

function messageFor({ expression, message, messageExpression }: Validation, values: Scope, run: Run): string {
  const fallback = message.trim() === '' ? `failed expression: ${expression.text.trim()}` : message.trim();
  if (messageExpression === undefined) return fallback;
  try {
    const text = run(messageExpression, values);
    const made = typeof text === 'string' ? text.trim() : '';
    return made === '' || made.includes('\n') || made.length > MAX_MESSAGE_BYTES ? fallback : made;
  } catch {
    return fallback;
  }
}
