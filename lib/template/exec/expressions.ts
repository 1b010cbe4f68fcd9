import type { GoFunction, GoFunctionTable } from '../functions/define';
import { describeNode } from '../parse/describe-node';
import type { ChainNode, CommandNode, ExpressionNode, PipeNode } from '../parse/nodes';
import { GoComplex, GoMap, type Value } from '../value/value';
import { compileArgument, type EvaluateArgument, failing, literalNumber } from './arguments';
import {
  arityProblem,
  bindCall,
  bindShortCircuit,
  type CallSite,
  type CompiledCall,
  invokeFunction,
  parameterAt,
} from './call';
import { findMethod, selectField } from './fields';
import { type Evaluate, goTypeNameOf, type Rendering } from './run';
import type { VariableSlots } from './scope';

/** Evaluates a command; `final` is the value from the pipeline. */
type EvaluateCommand = CompiledCall;

const NO_ARGUMENTS: readonly ExpressionNode[] = [];

/** Compiles pipelines, commands and operands (the eval… half of Go's text/template exec.go). */
export class ExpressionCompiler {
  constructor(
    private readonly functions: GoFunctionTable,
    private readonly scope: VariableSlots,
  ) {}

  /** A pipeline; its variables are set, and it returns the last command's value (nil becomes the invalid value). */
  pipeline(pipe: PipeNode): Evaluate {
    const commands = pipe.commands.map((command, index) => this.command(command, index > 0));
    const evaluate = joinCommands(pipe, commands);
    if (pipe.declarations.length === 0) return evaluate;
    const setters = pipe.declarations.map((variable) => this.setter(variable.names[0] ?? '', pipe.isAssign));
    return (run, dot) => {
      const value = evaluate(run, dot);
      for (const set of setters) set(run, value);
      return value;
    };
  }

  private setter(name: string, isAssign: boolean): (run: Rendering, value: Value) => void {
    const slot = isAssign ? this.scope.find(name) : this.scope.declare(name);
    if (slot < 0) {
      return (run) => {
        throw run.fail(`undefined variable: ${name}`);
      };
    }
    return (run, value) => {
      run.variables[slot] = value;
    };
  }

  private command(command: CommandNode, hasFinal: boolean): EvaluateCommand {
    const [first, ...rest] = command.arguments;
    if (first === undefined) return () => undefined;
    switch (first.kind) {
      case 'field':
      case 'chain':
      case 'variable':
        return this.chainCommand(first, rest, hasFinal);
      case 'identifier':
        return this.functionCall(first.name, first, { node: command, arguments: rest, hasFinal });
      default: {
        const evaluate = this.operand(first);
        if (rest.length === 0 && !hasFinal) return evaluate;
        // Go does not step onto a parenthesis before it complains.
        if (first.kind === 'pipe') {
          return (run) => {
            throw run.fail(notAFunction(first));
          };
        }
        return failing(first, () => notAFunction(first));
      }
    }
  }

  private functionCall(name: string, identifier: ExpressionNode, at: Omit<CallSite, 'name'>): CompiledCall {
    const fn = Object.hasOwn(this.functions, name) ? this.functions[name] : undefined;
    const site: CallSite = { ...at, name };
    if (fn === undefined) return failing(identifier, () => `"${name}" is not a defined function`);
    const problem = arityProblem(fn, site);
    if (problem !== undefined) return failing(identifier, () => problem);
    const values = at.arguments.map((node, index) => this.argument(node, parameterAt(fn, index)));
    const call = this.bind(fn, site, values);
    return (run, dot, final) => {
      run.node = identifier;
      if (run.progress !== undefined) run.progress[0] = identifier.at;
      run.budget.step();
      return call(run, dot, final);
    };
  }

  private bind(fn: GoFunction, site: CallSite, values: readonly EvaluateArgument[]): CompiledCall {
    if (site.name === 'and' || site.name === 'or') return bindShortCircuit(site.name, values, site.hasFinal);
    if (site.name === 'call') {
      // `call` names what it was to call in its errors.
      const [callee] = site.arguments;
      const named: GoFunction = { ...fn, parameters: ['string', ...fn.parameters] };
      if (callee !== undefined) return bindCall(named, site, [() => describeNode(callee), ...values]);
      return (run, dot, final) => bindCall(named, site, [() => reflectText(final)])(run, dot, final);
    }
    return bindCall(fn, site, values);
  }

  private argument(node: ExpressionNode, kind: ReturnType<typeof parameterAt>): EvaluateArgument {
    return compileArgument(node, kind, this.operand(node));
  }

  /** Any operand without arguments of its own. */
  operand(node: ExpressionNode): Evaluate {
    switch (node.kind) {
      case 'dot':
        return (run, dot) => {
          run.node = node;
          return dot;
        };
      case 'nil':
        return failing(node, () => 'nil is not a command');
      case 'bool':
      case 'string':
        return (run) => {
          run.node = node;
          return node.value;
        };
      case 'number': {
        const { complex } = node;
        const value = complex === undefined ? literalNumber(node) : new GoComplex(complex.real, complex.imaginary);
        if (value === undefined) return failing(node, () => `${node.text} overflows int`);
        return (run) => {
          run.node = node;
          return value;
        };
      }
      case 'pipe':
        return this.pipeline(node);
      case 'identifier': {
        const call = this.functionCall(node.name, node, { node, arguments: NO_ARGUMENTS, hasFinal: false });
        return (run, dot) => call(run, dot, undefined);
      }
      default: {
        const call = this.chainCommand(node, NO_ARGUMENTS, false);
        return (run, dot) => call(run, dot, undefined);
      }
    }
  }

  /** `.A.B`, `$x.A.B` and `(…).A.B`; the last name may be a method that takes the arguments. */
  private chainCommand(
    node: Extract<ExpressionNode, { kind: 'field' | 'chain' | 'variable' }>,
    rest: readonly ExpressionNode[],
    hasFinal: boolean,
  ): EvaluateCommand {
    const names = node.kind === 'variable' ? node.names.slice(1) : node.names;
    const base = this.base(node);
    if (names.length === 0) {
      const isUnknown = node.kind === 'variable' && this.scope.find(node.names[0] ?? '') < 0;
      return isUnknown || (rest.length === 0 && !hasFinal) ? base : failing(node, () => notAFunction(node));
    }
    const hasArguments = rest.length > 0 || hasFinal;
    const plain = hasArguments ? names.slice(0, -1) : names;
    const sites = plain.map((name): CallSite => ({ name, node, arguments: NO_ARGUMENTS, hasFinal: false }));
    const typeSlot = this.typeSlot(node);
    const startsAtMember = (run: Rendering) => typeSlot >= 0 && run.variables[typeSlot] === true;
    const site: CallSite = { name: names.at(-1) ?? '', node, arguments: rest, hasFinal };
    const last = hasArguments ? this.callStep(site, plain.length > 0 ? () => true : startsAtMember) : undefined;
    return (run, dot, final) => {
      let value = base(run, dot);
      let isMember = startsAtMember(run);
      for (const step of sites) {
        value = selectPlain(run, step, value, isMember);
        isMember = true;
      }
      return last === undefined ? value : last(run, dot, final, value);
    };
  }

  /** The slot that holds whether Go sees `interface {}` at the start of the chain, or -1. */
  private typeSlot(node: ExpressionNode): number {
    if (node.kind === 'field') return this.scope.dotType;
    return node.kind === 'variable' ? this.scope.typeOf(this.scope.find(node.names[0] ?? '')) : -1;
  }

  private base(node: Extract<ExpressionNode, { kind: 'field' | 'chain' | 'variable' }>): Evaluate {
    if (node.kind === 'field') {
      return (run, dot) => {
        run.node = node;
        return dot;
      };
    }
    if (node.kind === 'chain') return this.chainBase(node);
    const name = node.names[0] ?? '';
    const slot = this.scope.find(name);
    if (slot < 0) return failing(node, () => `undefined variable: ${name}`);
    return (run) => {
      run.node = node;
      return run.variables[slot];
    };
  }

  private chainBase(node: ChainNode): Evaluate {
    if (node.base.kind === 'nil')
      return failing(node, () => `indirection through explicit nil in ${describeNode(node)}`);
    const evaluate = this.operand(node.base);
    return (run, dot) => {
      run.node = node.base;
      return evaluate(run, dot);
    };
  }

  /** The last name of a chain that is given arguments: it has to be a method. `isMember` as in {@link selectField}. */
  private callStep(site: CallSite, isMember: (run: Rendering) => boolean): SelectStep {
    const operands = site.arguments.map((each) => ({ node: each, evaluate: this.operand(each) }));
    const bound = new Map<GoFunction, CompiledCall>();
    return (run, dot, final, receiver) => {
      const method = findMethod(receiver, site.name);
      if (method === undefined) return selectField(run, site, receiver, isMember(run));
      const problem = arityProblem(method, site);
      if (problem !== undefined) throw run.fail(problem);
      let call = bound.get(method);
      if (call === undefined) {
        const values = operands.map((each, index) =>
          compileArgument(each.node, parameterAt(method, index), each.evaluate),
        );
        call = bindMethod(method, site, values);
        bound.set(method, call);
      }
      run.receiver = receiver;
      return call(run, dot, final);
    };
  }
}

/** One name of a chain without arguments: a member, a field, or a method. */
function selectPlain(run: Rendering, site: CallSite, receiver: Value, isMember: boolean): Value {
  if (receiver instanceof GoMap) {
    const member = receiver.get(site.name);
    if (member !== undefined) return member;
  } else {
    const method = findMethod(receiver, site.name);
    if (method !== undefined) {
      const problem = arityProblem(method, site);
      if (problem !== undefined) throw run.fail(problem);
      return invokeFunction(run, method, site, [receiver]);
    }
  }
  return selectField(run, site, receiver, isMember);
}

type SelectStep = (run: Rendering, dot: Value, final: Value, receiver: Value) => Value;

/** A method is called with its receiver before the arguments, which `run` keeps until they are evaluated. */
function bindMethod(method: GoFunction, site: CallSite, values: readonly EvaluateArgument[]): CompiledCall {
  const receiver: EvaluateArgument = (run) => run.receiver;
  const withReceiver: GoFunction = { ...method, parameters: ['any', ...method.parameters] };
  return bindCall(withReceiver, site, [receiver, ...values]);
}

/** Go's reflect.Value.String: a string is itself, anything else only its type. */
function reflectText(value: Value): Value {
  return typeof value === 'string' ? value : `<${value === undefined ? 'invalid' : goTypeNameOf(value)} Value>`;
}

function notAFunction(node: ExpressionNode): string {
  return `can't give argument to non-function ${describeNode(node)}`;
}

function joinCommands(pipe: PipeNode, commands: readonly EvaluateCommand[]): Evaluate {
  const [first, second] = commands;
  if (first === undefined) return () => undefined;
  if (second === undefined) {
    return (run, dot) => {
      run.node = pipe;
      const value = first(run, dot, undefined);
      return value === null ? undefined : value;
    };
  }
  return (run, dot) => {
    run.node = pipe;
    let value: Value;
    for (const command of commands) {
      value = command(run, dot, value);
      if (value === null) value = undefined;
    }
    return value;
  };
}
