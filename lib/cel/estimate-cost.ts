import type { CelType } from './cel-type';
import type { Checked } from './check-expression';
import { type CostRange, ENDLESS, FREE, fixed, plus, times, UNKNOWN, union } from './cost-range';
import { type CallEstimate, CallEstimator, type Node } from './estimate-call';
import type { CallExpr, Expr, Fold } from './syntax-tree';
import { textLength } from './text-length';

/** Where a value stands below a variable: `['self', 'items', '@items', 'name']`. */
export type Path = readonly string[];

/** The size of what a container holds: its keys or places, and its values. */
interface Entries {
  readonly isList: boolean;
  readonly key: CostRange;
  readonly value: CostRange;
}

interface Local {
  readonly path: Path;
  readonly size: CostRange | undefined;
  readonly entries: Entries | undefined;
}

/**
 * The least and most that an expression can cost (cel-go checker Cost with Kubernetes' estimator).
 *
 * @param mostAt how large a value at a path may be; undefined where that is not known
 */
export function estimateCost(checked: Checked, mostAt: (path: Path) => number | undefined): CostRange {
  return new Estimator(checked, mostAt).cost(checked.tree);
}

const STEP = fixed(1);

class Estimator {
  private readonly paths = new Map<Expr, Path>();
  private readonly sizes = new Map<Expr, CostRange>();
  private readonly entries = new Map<Expr, Entries>();
  private readonly locals = new Map<string, Local[]>();
  private readonly calls: CallEstimator;

  constructor(
    private readonly checked: Checked,
    private readonly mostAt: (path: Path) => number | undefined,
  ) {
    this.calls = new CallEstimator((node) => this.sizeAt(node));
  }

  cost(node: Expr): CostRange {
    const typeName = this.checked.typeNames.get(node);
    if (typeName !== undefined) {
      this.paths.set(node, [typeName.name]);
      return STEP;
    }
    switch (node.kind) {
      case 'literal':
        return FREE;
      case 'ident':
        this.paths.set(node, this.local(node.name)?.path ?? [node.name]);
        return STEP;
      case 'select':
        return this.selectCost(node);
      case 'call':
        return this.callCost(node);
      case 'list':
        return this.listCost(node);
      case 'map':
        return this.mapCost(node);
      case 'fold':
        return this.isBind(node) ? this.bindCost(node) : this.foldCost(node);
      default:
        return plus(fixed(40), ...node.fields.map(({ value }) => this.cost(value)));
    }
  }

  private local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private push(name: string, local: Local): void {
    this.locals.set(name, [...(this.locals.get(name) ?? []), local]);
  }

  private pop(name: string): void {
    this.locals.get(name)?.pop();
  }

  private typeOf(node: Expr): CelType | undefined {
    return this.checked.types.get(node);
  }

  private pathOf(node: Expr): Path {
    const local = node.kind === 'ident' ? this.local(node.name) : undefined;
    return local?.path ?? this.paths.get(node) ?? [];
  }

  private selectCost(node: Expr & { kind: 'select' }): CostRange {
    if (this.checked.names.has(node)) {
      this.paths.set(node, [this.checked.names.get(node) ?? '']);
      return STEP;
    }
    const operand = this.cost(node.operand);
    if (node.isTest) return operand;
    this.paths.set(node, [...this.pathOf(node.operand), node.field]);
    const kind = this.typeOf(node.operand)?.kind ?? 'dyn';
    return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, STEP) : operand;
  }

  private callCost(node: CallExpr): CostRange {
    const [first] = node.args;
    if (node.name === 'dyn' && first !== undefined) {
      const cost = this.cost(first);
      this.copySizes(node, first);
      return plus(STEP, cost);
    }
    const costs = node.args.map((arg) => this.cost(arg));
    const args = node.args.map((arg) => this.nodeOf(arg));
    const overloads = this.checked.overloads.get(node) ?? [];
    if (overloads.length === 0) return FREE;
    const targetCost = node.target === undefined ? FREE : this.cost(node.target);
    const target = node.target === undefined ? undefined : this.nodeOf(node.target);
    let cost: CostRange = { min: ENDLESS, max: 0 };
    let size: CostRange | undefined;
    for (const overload of overloads) {
      const estimate = this.overloadCost(node, overload, target, args, costs);
      cost = union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if ((overload === 'index_list' || overload === 'index_map') && first !== undefined) {
        size = this.entriesOf(first)?.value;
        this.paths.set(node, [...this.pathOf(first), overload === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.sizeOf(node);
    }
    if (size !== undefined) this.sizes.set(node, size);
    return plus(targetCost, cost);
  }

  private overloadCost(
    node: CallExpr,
    overload: string,
    target: Node | undefined,
    args: readonly Node[],
    costs: readonly CostRange[],
  ): CallEstimate {
    const [a = FREE, b = FREE, c = FREE] = costs;
    const [first, second, third] = node.args;
    switch (overload) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: a.min, max: plus(a, b).max } };
      case 'conditional': {
        this.joinEntries(node, second, third);
        const size = union(args[1]?.size ?? UNKNOWN, args[2]?.size ?? UNKNOWN);
        return { cost: plus(a, union(b, c)), size };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        this.joinEntries(node, first, second);
        break;
      default:
    }
    const { cost, size } = this.calls.estimate(node.name, overload, target, args);
    return size === undefined ? { cost: plus(cost, ...costs) } : { cost: plus(cost, ...costs), size };
  }

  private joinEntries(node: Expr, first: Expr | undefined, second: Expr | undefined): void {
    const a = first === undefined ? undefined : this.entriesOf(first);
    const b = second === undefined ? undefined : this.entriesOf(second);
    if (a === undefined || b === undefined) return;
    this.entries.set(node, { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) });
  }

  private nodeOf(expr: Expr): Node {
    const path = this.pathOf(expr);
    return { expr, path: path[0] === '@result' ? [] : path, type: this.typeOf(expr), size: this.sizeOf(expr) };
  }

  private sizeAt({ path }: Pick<Node, 'path'>): CostRange | undefined {
    const most = path.length === 0 ? undefined : this.mostAt(path);
    return most === undefined ? undefined : { min: 0, max: most };
  }

  private sizeOf(node: Expr): CostRange | undefined {
    const known = this.sizes.get(node) ?? writtenSize(node);
    if (known !== undefined) return known;
    const bound = this.sizeAt({ path: this.pathOf(node) });
    if (bound !== undefined) {
      this.sizes.set(node, bound);
      return bound;
    }
    if (isScalar(this.typeOf(node))) return fixed(1);
    return node.kind === 'ident' ? this.local(node.name)?.size : undefined;
  }

  private entriesOf(node: Expr): Entries | undefined {
    const known = this.entries.get(node);
    if (known !== undefined) return known;
    return node.kind === 'ident' ? this.local(node.name)?.entries : undefined;
  }

  private copySizes(to: Expr, from: Expr): void {
    const size = this.sizeOf(from);
    const entries = this.entriesOf(from);
    if (size !== undefined) this.sizes.set(to, size);
    if (entries !== undefined) this.entries.set(to, entries);
  }

  private listCost(node: Expr & { kind: 'list' }): CostRange {
    const costs: CostRange[] = [];
    let value: CostRange = node.items.length === 0 ? FREE : { min: ENDLESS, max: 0 };
    for (const item of node.items) {
      costs.push(this.cost(item));
      value = union(value, this.sizeOf(item) ?? UNKNOWN);
    }
    this.entries.set(node, { isList: true, key: fixed(1), value });
    return plus(fixed(10), ...costs);
  }

  private mapCost(node: Expr & { kind: 'map' }): CostRange {
    const costs: CostRange[] = [];
    const start: CostRange = node.entries.length === 0 ? FREE : { min: ENDLESS, max: 0 };
    let keys = start;
    let values = start;
    for (const { key, value } of node.entries) {
      costs.push(this.cost(key), this.cost(value));
      keys = union(keys, this.sizeOf(key) ?? UNKNOWN);
      values = union(values, this.sizeOf(value) ?? UNKNOWN);
    }
    this.entries.set(node, { isList: false, key: keys, value: values });
    return plus(fixed(30), ...costs);
  }

  private isBind({ range, condition }: Fold): boolean {
    return (
      range.kind === 'list' && range.items.length === 0 && condition.kind === 'literal' && condition.value === false
    );
  }

  private bindCost(node: Fold): CostRange {
    const cost = plus(this.cost(node.range), this.cost(node.init));
    this.pushValue(node.accumulator, node.init);
    const result = this.cost(node.result);
    this.pop(node.accumulator);
    this.copySizes(node, node.result);
    return plus(cost, result);
  }

  private pushValue(name: string, value: Expr): void {
    this.push(name, { path: this.pathOf(value), size: this.sizeOf(value), entries: this.entriesOf(value) });
  }

  private foldCost(node: Fold): CostRange {
    const before = plus(this.cost(node.range), this.cost(node.init));
    this.pushValue(node.accumulator, node.init);
    this.pushVariables(node);
    const loop = plus(this.cost(node.condition), this.cost(node.step));
    this.pop(node.variable);
    if (node.second !== undefined) this.pop(node.second);
    const result = this.cost(node.result);
    this.pop(node.accumulator);
    const count = this.sizeOf(node.range) ?? UNKNOWN;
    if (node.init.kind === 'literal') {
      const size = this.sizeOf(node.init);
      if (size !== undefined) this.sizes.set(node, size);
    } else if (node.init.kind === 'list' || node.init.kind === 'map') {
      this.sizes.set(node, count);
      const entries = this.entriesOf(node.step);
      if (entries !== undefined) this.entries.set(node, entries);
    }
    return plus(before, result, times(count, loop));
  }

  private pushVariables({ range, variable, second }: Fold): void {
    const entries = this.entriesOf(range);
    const isList = entries?.isList ?? this.typeOf(range)?.kind === 'list';
    const path = this.pathOf(range);
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    const value: Local = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined };
    this.push(variable, second === undefined && isList ? value : key);
    if (second !== undefined) this.push(second, value);
  }
}

/** The size of what is written out. */
function writtenSize(node: Expr): CostRange | undefined {
  if (node.kind === 'list') return fixed(node.items.length);
  if (node.kind === 'map') return fixed(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  if (typeof node.value === 'string') return fixed(textLength(node.value));
  return fixed(node.value instanceof Uint8Array ? node.value.length : 1);
}

const SCALARS = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType | undefined): boolean {
  if (type === undefined) return false;
  return SCALARS.has(type.kind) || (type.name === 'optional_type' && isScalar(type.params[0]));
}
