import { type CelType, DYN, structType } from '@/lib/cel/cel-type';
import { CONDITION_VARIABLES, POLICY_VARIABLES } from '@/lib/cel/policy-types';
import { type CompiledExpression, compileExpression, type Wanted } from './compile-expression';

export interface NamedExpression extends CompiledExpression {
  readonly name: string;
}

/**
 * Compiles the expressions of one policy. Its variables have the types of their own expressions, and each may use those before it
 * (apiserver admission/plugin/cel CompositedCompiler).
 */
export class PolicyCompiler {
  private readonly own = new Map<string, CelType>();
  private readonly base: ReadonlyMap<string, CelType>;

  /** @param hasParams whether the policy names a kind of parameters; without one there is no `params` */
  constructor(hasParams: boolean) {
    this.base = hasParams ? POLICY_VARIABLES : CONDITION_VARIABLES;
  }

  private names(hasAuthorizer: boolean): ReadonlyMap<string, CelType> {
    const names = new Map([...this.base, ['variables', structType('kubernetes.variables', this.own)]]);
    for (const name of hasAuthorizer ? [] : ['authorizer', 'authorizer.requestResource']) names.delete(name);
    return names;
  }

  variable(name: string, text: string): NamedExpression {
    const compiled = this.compile(text, 'any');
    this.own.set(name, compiled.type ?? DYN);
    return { ...compiled, name };
  }

  compile(text: string, wanted: Wanted): CompiledExpression {
    return compileExpression(text, this.names(true), wanted);
  }

  /** Conditions are looked at before there are variables. */
  condition(text: string): CompiledExpression {
    return compileExpression(text, this.base, 'bool');
  }

  /** Messages may not ask who may do what. */
  message(text: string): CompiledExpression {
    return compileExpression(text, this.names(false), 'string');
  }
}
