import type { ArgumentKind, GoFunction } from '../functions/define';
import type { ExpressionNode, Node } from '../parse/nodes';
import { BudgetError, GoError } from '../template-error';
import { isTruth } from '../value/describe';
import { GoSlice, type Value } from '../value/value';
import { convertArgument, type EvaluateArgument } from './arguments';
import type { Rendering } from './run';

/** A compiled call; `final` is the value from the pipeline, used when the call was compiled for one. */
export type CompiledCall = (run: Rendering, dot: Value, final: Value) => Value;

export interface CallSite {
  readonly name: string;
  /** The place of errors of the function itself: the whole command. */
  readonly node: Node;
  readonly arguments: readonly ExpressionNode[];
  readonly hasFinal: boolean;
}

/** Go's message for a wrong number of arguments, or undefined. */
export function arityProblem(fn: GoFunction, site: CallSite): string | undefined {
  const count = site.arguments.length + (site.hasFinal ? 1 : 0);
  const wanted = fn.parameters.length;
  if (fn.rest !== undefined) {
    if (count >= wanted) return undefined;
    return `wrong number of args for ${site.name}: want at least ${wanted} got ${site.arguments.length}`;
  }
  return count === wanted ? undefined : `wrong number of args for ${site.name}: want ${wanted} got ${count}`;
}

/** Type of the argument at an index. */
export function parameterAt(fn: GoFunction, index: number): ArgumentKind {
  return fn.parameters[index] ?? fn.rest ?? 'any';
}

/** A call of a function whose number of arguments is right. */
export function bindCall(fn: GoFunction, site: CallSite, values: readonly EvaluateArgument[]): CompiledCall {
  const finalKind = site.hasFinal ? parameterAt(fn, values.length) : undefined;
  const [first, second] = values;
  if (finalKind === undefined) {
    if (values.length === 1 && first !== undefined) return bindOne(fn, site, first);
    if (values.length === 2 && first !== undefined && second !== undefined) {
      return bindTwo(fn, site, first, second);
    }
  }
  return (run, dot, final) => {
    const ready: unknown[] = [];
    for (const value of values) ready.push(value(run, dot));
    if (finalKind !== undefined) ready.push(convertArgument(run, final, finalKind));
    return invokeFunction(run, fn, site, ready);
  };
}

function bindOne(fn: GoFunction, site: CallSite, only: EvaluateArgument): CompiledCall {
  return (run, dot) => {
    const value = only(run, dot);
    try {
      return settle(run, fn.run(run, value));
    } catch (error) {
      throw callError(run, site, error);
    }
  };
}

function bindTwo(fn: GoFunction, site: CallSite, first: EvaluateArgument, second: EvaluateArgument): CompiledCall {
  return (run, dot) => {
    const one = first(run, dot);
    const two = second(run, dot);
    try {
      return settle(run, fn.run(run, one, two));
    } catch (error) {
      throw callError(run, site, error);
    }
  };
}

export function invokeFunction(run: Rendering, fn: GoFunction, site: CallSite, values: readonly unknown[]): Value {
  try {
    return settle(run, fn.run(run, ...values));
  } catch (error) {
    throw callError(run, site, error);
  }
}

/** Results above this size count against the allocation budget. */
const FREE_BYTES = 512;

function settle(run: Rendering, result: Value): Value {
  if (typeof result === 'string') {
    if (result.length > FREE_BYTES) run.budget.allocate(result.length);
    return result;
  }
  if (result === undefined) return null;
  if (result instanceof GoSlice && result.items.length > 32) run.budget.allocate(result.items.length * 48);
  return result;
}

function callError(run: Rendering, site: CallSite, error: unknown): unknown {
  if (error instanceof GoError) {
    run.node = site.node;
    return run.fail(`error calling ${site.name}: ${error.message}`);
  }
  if (error instanceof BudgetError || error instanceof RangeError) {
    run.node = site.node;
    return run.fail(`error calling ${site.name}: ${budgetMessage(error)}`, 'budget');
  }
  return error;
}

/** The message of a budget error; JavaScript throws a RangeError for too deep or too long. */
export function budgetMessage(error: Error): string {
  return error instanceof BudgetError ? error.message : 'a value that is too large or nested too deep';
}

/** The built-in `and` and `or`, which stop at the first operand that decides. */
export function bindShortCircuit(
  name: 'and' | 'or',
  values: readonly EvaluateArgument[],
  hasFinal: boolean,
): CompiledCall {
  const stopsAt = name === 'or';
  return (run, dot, final) => {
    let result: unknown;
    for (const value of values) {
      result = value(run, dot);
      if (isTruth(result as Value) === stopsAt) return result as Value;
    }
    return hasFinal ? final : (result as Value);
  };
}
