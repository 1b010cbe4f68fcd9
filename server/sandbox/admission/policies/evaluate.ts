import { structType } from '@/lib/cel/cel-type';
import {
  type AuthorizerAnswer,
  type AuthorizerQuestion,
  celAuthorizer,
  celRequestResource,
} from '@/lib/cel/functions/authorizer';
import { CelObject, type CelValue } from '@/lib/cel/values';
import { messageOf } from '@/lib/errors/errors';
import type { CompiledExpression, Scope } from '@/lib/schema/cel/compile-expression';
import { Budget } from './budget';
import type { Policy, Validation } from './policy';

/** A validation that did not hold, or could not be evaluated. */
export interface Refusal {
  readonly message: string;
  /** A reason of the API, `Invalid` where the policy names none. */
  readonly reason: string;
}

/** Values of the request, and who may do what. */
export interface Evaluation {
  readonly scope: Scope;
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
export function refusalsOf(policy: Policy, { scope: given, authority }: Evaluation): Refusal[] {
  const budget = new Budget();
  const scope = { ...given, ...authorizerScope(authority) };
  const run: Run = (expression, values) => expression.run(values, budget.spend);
  const values = { ...scope, variables: new LazyVariables(policy, scope, run) };
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

type Run = (expression: CompiledExpression, values: Scope) => CelValue;

/** `authorizer` and what the request itself is about. */
export function authorizerScope({ decide, own }: Authority): Scope {
  return { authorizer: celAuthorizer(decide), 'authorizer.requestResource': celRequestResource(decide, own) };
}

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
class LazyVariables extends CelObject {
  readonly type = structType('kubernetes.variables');
  private readonly known = new Map<string, CelValue>();

  constructor(
    private readonly policy: Policy,
    private readonly scope: Scope,
    private readonly run: Run,
  ) {
    super();
  }

  find(name: string): CelValue | undefined {
    const known = this.known.get(name);
    const variable = this.policy.variables.find((each) => each.name === name);
    if (known !== undefined || variable === undefined) return known;
    const value = this.run(variable, { ...this.scope, variables: this });
    this.known.set(name, value);
    return value;
  }

  equals(other: CelObject): boolean {
    return this === other;
  }
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
