import { callCost } from './call-cost';
import type { Checked } from './check-expression';
import { equalValues } from './equality';
import { implementations } from './functions/implementations';
import { iterate } from './iterate';
import { celField, inOptional, itemOf, optionalItemOf, throughOptional } from './member-access';
import { noOverload } from './no-overload';
import type { CallExpr, Expr, Fold } from './syntax-tree';
import { CelCostExceeded, CelError, CelOptional, type CelValue, EntryMap, isCelList, isPrimitive } from './values';

/** The variables of an expression by name; undefined for an unknown name. */
export type Resolve = (name: string) => CelValue | undefined;

/** A name and its value within a loop; an accumulator may hold an error. */
interface Frame {
  readonly name: string;
  value: CelValue | CelError;
  readonly outer: Frame | undefined;
}

/** One evaluation of an expression. */
export class ExpressionRun {
  cost = 0;

  constructor(
    private readonly checked: Checked,
    private readonly constants: ReadonlyMap<Expr, CelValue>,
    private readonly resolve: Resolve,
    private readonly limit: number,
  ) {}

  private charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new CelCostExceeded('operation cancelled: actual cost limit exceeded');
  }

  evaluate(node: Expr, frame: Frame | undefined): CelValue {
    const constant = this.constants.get(node);
    if (constant !== undefined) return constant;
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'ident':
        return this.named(node.name, frame);
      case 'select':
        return this.selected(node, node.operand, frame, (operand) => celField(operand, node.field, node.isTest));
      case 'call':
        return this.called(node, frame);
      case 'list':
        return this.listed(node.items, node.optional, frame);
      case 'map':
        return this.mapped(node, frame);
      case 'fold':
        return this.folded(node, frame);
      default:
        throw new CelError(`unknown type: ${node.name}`);
    }
  }

  private named(name: string, frame: Frame | undefined): CelValue {
    this.charge(1);
    for (let each = frame; each !== undefined; each = each.outer) {
      if (each.name !== name) continue;
      if (each.value instanceof CelError) throw each.value;
      return each.value;
    }
    const found = this.resolve(name.replace(/^\./, ''));
    if (found !== undefined) return found;
    throw new CelError(`no such attribute(s): ${name}`);
  }

  /** A step of a path. The start of a path costs one more when it is not a variable. */
  private selected(
    node: Expr,
    operand: Expr,
    frame: Frame | undefined,
    step: (operand: CelValue) => CelValue,
  ): CelValue {
    const whole = this.checked.names.get(node);
    if (whole !== undefined) return this.named(whole, undefined);
    const isTest = node.kind === 'select' && node.isTest;
    const value = this.attempt(operand, frame);
    if (value instanceof CelError) {
      if (isTest) this.charge(-1);
      throw value;
    }
    this.charge(this.isPath(operand) ? 0 : 1);
    if (!(value instanceof CelOptional)) {
      this.charge(isTest ? 0 : 1);
      return step(value);
    }
    const found = throughOptional(value, step, isTest);
    if (!isTest && found instanceof CelOptional && found.value !== undefined) this.charge(1);
    return found;
  }

  /** True for what cel-go keeps as a path of names and keys. */
  private isPath(node: Expr): boolean {
    if (node.kind === 'call') return PATHS.has(node.name);
    return (node.kind === 'ident' || node.kind === 'select') && !this.constants.has(node);
  }

  private called(node: CallExpr, frame: Frame | undefined): CelValue {
    switch (node.name) {
      case '_&&_':
        return this.logical(node, frame, false);
      case '_||_':
        return this.logical(node, frame, true);
      case '_?_:_':
        return this.conditional(node, frame);
      case '@not_strictly_false':
        return this.notStrictlyFalse(node, frame);
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.indexed(node, frame);
      case '@in':
        return this.contained(node, frame);
      case 'or':
      case 'orValue':
        return this.alternative(node, frame);
      default:
        return this.applied(node, frame);
    }
  }

  private applied(node: CallExpr, frame: Frame | undefined): CelValue {
    const { target, args } = node;
    const given = target === undefined ? args : [target, ...args];
    if (frame !== undefined && args[0]?.kind === 'ident' && args[0].name === '@result') {
      const grown = this.grown(node, frame);
      if (grown !== undefined) return grown;
    }
    return this.apply(node, this.argumentsOf(node, given, frame));
  }

  /** Values of arguments. A call is paid for when only its last one is an error. */
  private argumentsOf(node: CallExpr, given: readonly Expr[], frame: Frame | undefined): CelValue[] {
    const values: CelValue[] = [];
    for (const [index, each] of given.entries()) {
      const value = this.attempt(each, frame);
      if (!(value instanceof CelError)) values.push(value);
      else {
        if (index === given.length - 1)
          this.charge(callCost(node.name, this.overloadOf(node), [...values, null], undefined));
        throw value;
      }
    }
    return values;
  }

  private apply(node: CallExpr, args: readonly CelValue[]): CelValue {
    const overload = this.overloadOf(node);
    let result: CelValue | undefined;
    try {
      result = implementations.get(node.name)?.(args, overload);
    } catch (error) {
      if (error instanceof CelError) this.charge(callCost(node.name, overload, args, undefined));
      throw error;
    }
    this.charge(callCost(node.name, overload, args, result));
    if (result === undefined) throw new CelError(noOverload(node.name, overload, node.target !== undefined, args));
    return result;
  }

  private overloadOf(node: Expr): string {
    const overloads = this.checked.overloads.get(node) ?? [];
    return overloads.length === 1 ? (overloads[0] ?? '') : '';
  }

  /** `@result + [x]`: the list of a loop is nobody else's, so it grows in place. */
  private grown(node: CallExpr, frame: Frame): CelValue | undefined {
    const [, addition] = node.args;
    if (node.name !== '_+_' || addition?.kind !== 'list') return undefined;
    const before = this.named('@result', frame);
    if (!isCelList(before) || !Array.isArray(before)) return undefined;
    const added = this.evaluate(addition, frame);
    this.charge(1);
    if (isCelList(added)) before.push(...added);
    return before;
  }

  private attempt(node: Expr, frame: Frame | undefined): CelValue | CelError {
    try {
      return this.evaluate(node, frame);
    } catch (error) {
      if (error instanceof CelError) return error;
      throw error;
    }
  }

  /** `&&` and `||`: the deciding value wins over an error on the other side. */
  private logical(node: CallExpr, frame: Frame | undefined, deciding: boolean): CelValue {
    let problem: CelError | undefined;
    for (const arg of node.args) {
      const value = this.attempt(arg, frame);
      if (value === deciding) return deciding;
      if (value instanceof CelError) problem ??= value;
      else if (typeof value !== 'boolean') problem ??= new CelError('no such overload');
    }
    if (problem !== undefined) throw problem;
    return !deciding;
  }

  private conditional({ args }: CallExpr, frame: Frame | undefined): CelValue {
    const [condition, then, otherwise] = args;
    if (condition === undefined || then === undefined || otherwise === undefined)
      throw new CelError('no such overload');
    const holds = this.evaluate(condition, frame);
    if (typeof holds !== 'boolean') throw new CelError('no such overload');
    const branch = holds ? then : otherwise;
    const value = this.evaluate(branch, frame);
    if (this.isVariablePath(branch)) this.charge(-1);
    return value;
  }

  // Within a condition or a key cel-go does not see where a path starts.
  private isVariablePath(node: Expr): boolean {
    return this.isPath(node) && !(node.kind === 'call' && node.name === '_?_:_');
  }

  private notStrictlyFalse({ args }: CallExpr, frame: Frame | undefined): CelValue {
    const [arg] = args;
    const value = arg === undefined ? true : this.attempt(arg, frame);
    this.charge(1);
    return value !== false;
  }

  private indexed(node: CallExpr, frame: Frame | undefined): CelValue {
    const [operand, index] = node.args;
    if (operand === undefined || index === undefined) throw new CelError('no such overload');
    const isOptional = node.name !== '_[_]';
    const value = this.evaluate(operand, frame);
    const key = this.evaluate(index, frame);
    this.charge((this.isPath(operand) ? 0 : 1) - (this.isVariablePath(index) && node.name !== '_?._' ? 1 : 0));
    if (isOptional || value instanceof CelOptional) {
      const inner = value instanceof CelOptional ? value.value : value;
      const found = inner === undefined ? undefined : optionalItemOf(inner, key);
      if (found !== undefined) this.charge(1);
      return new CelOptional(found);
    }
    this.charge(1);
    return itemOf(value, key);
  }

  /** `in` over a constant list is one lookup in a set, which costs nothing. */
  private contained(node: CallExpr, frame: Frame | undefined): CelValue {
    const [item, range] = node.args;
    const known = range === undefined ? undefined : this.constants.get(range);
    const isSet =
      known !== undefined && isCelList(known) && this.overloadOf(node) === 'in_list' && known.every(isPrimitive);
    if (!isSet || item === undefined) return this.applied(node, frame);
    if (known.length === 0) return false;
    const value = this.evaluate(item, frame);
    return known.some((each) => equalValues(each, value));
  }

  private alternative(node: CallExpr, frame: Frame | undefined): CelValue {
    const [second] = node.args;
    const first = node.target === undefined ? null : this.evaluate(node.target, frame);
    if (!(first instanceof CelOptional) || second === undefined) throw new CelError('no such overload');
    if (first.value !== undefined) return node.name === 'or' ? first : first.value;
    return this.evaluate(second, frame);
  }

  private listed(items: readonly Expr[], optional: ReadonlySet<number>, frame: Frame | undefined): CelValue {
    const list = items.map((item, index) => {
      const value = this.evaluate(item, frame);
      return optional.has(index) ? inOptional(value) : value;
    });
    this.charge(10);
    return list.filter((each) => each !== undefined);
  }

  private mapped(node: Expr & { kind: 'map' }, frame: Frame | undefined): CelValue {
    const entries = node.entries.map(({ key, value, isOptional }): [CelValue, CelValue | undefined] => {
      const name = this.evaluate(key, frame);
      const given = this.evaluate(value, frame);
      return [name, isOptional ? inOptional(given) : given];
    });
    this.charge(30);
    return new EntryMap(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
  }

  private folded(node: Fold, frame: Frame | undefined): CelValue {
    const range = this.evaluate(node.range, frame);
    const first = this.attempt(node.init, frame);
    const init = Array.isArray(first) ? [...first] : first;
    const carried: Frame = { name: node.accumulator, value: init, outer: frame };
    for (const [key, value] of iterate(range, node.second !== undefined)) {
      const outer: Frame = { name: node.variable, value: key, outer: carried };
      const inner = node.second === undefined ? outer : { name: node.second, value, outer };
      if (this.attempt(node.condition, inner) === false) break;
      carried.value = this.attempt(node.step, inner);
    }
    return this.evaluate(node.result, carried);
  }
}

const PATHS = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);
