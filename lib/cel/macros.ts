import type { CallExpr, Expr, Fold } from './syntax-tree';
import type { CelValue } from './values';

/** Invalid arguments of a macro: the place and cel-go's message. */
export class MacroProblem {
  constructor(
    readonly at: number,
    readonly message: string,
  ) {}
}

const RESULT = '@result';
const NO_ITEMS: ReadonlySet<number> = new Set();

/** Builds the nodes of one macro; all have the place of the macro's call. */
class Builder {
  constructor(private readonly at: number) {}

  literal = (value: CelValue): Expr => ({ kind: 'literal', at: this.at, value });
  ident = (name: string): Expr => ({ kind: 'ident', at: this.at, name });
  result = (): Expr => this.ident(RESULT);
  call = (name: string, ...args: Expr[]): CallExpr => ({ kind: 'call', at: this.at, name, target: undefined, args });
  member = (target: Expr, name: string, ...args: Expr[]): CallExpr => ({
    kind: 'call',
    at: this.at,
    name,
    target,
    args,
  });
  list = (...items: Expr[]): Expr => ({ kind: 'list', at: this.at, items, optional: NO_ITEMS });
  emptyMap = (): Expr => ({ kind: 'map', at: this.at, entries: [] });
  test = (operand: Expr, field: string): Expr => ({ kind: 'select', at: this.at, operand, field, isTest: true });
  fold = (parts: Omit<Fold, 'kind' | 'at' | 'accumulator'> & { accumulator?: string }): Fold => ({
    accumulator: RESULT,
    ...parts,
    kind: 'fold',
    at: this.at,
  });

  /** Binds a value to a name: a loop over an empty list. */
  bind = (name: string, value: Expr, result: Expr): Fold =>
    this.fold({
      ...{ range: this.list(), variable: '#unused', second: undefined, accumulator: name },
      ...{ init: value, condition: this.literal(false), step: this.ident(name), result },
    });
}

/** The expansion of a macro call; undefined when the call is not a macro. */
export function expandMacro(
  at: number,
  name: string,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | MacroProblem | undefined {
  const make = new Builder(at);
  if (target === undefined) return name === 'has' && args.length === 1 ? presence(make, args[0]) : undefined;
  const [first, second, third, fourth] = args;
  if (first === undefined || second === undefined) return undefined;
  const count = args.length;
  if (count === 2) return oneVariable(make, name, { range: target, variables: [first], body: second });
  if (third === undefined) return undefined;
  if (count === 3 && name === 'map') {
    return mapped(make, { range: target, variables: [first], body: third, filter: second });
  }
  const range = { range: target, variables: [first, second] } as const;
  if (count === 3) {
    const loop = { ...range, body: third };
    return quantifier(make, name, loop) ?? transformed(make, name, loop);
  }
  return count === 4 && fourth !== undefined
    ? transformed(make, name, { ...range, body: fourth, filter: third })
    : undefined;
}

/** The arguments of a macro that loops over `range`; `filter` says which items are taken (absent: all). */
interface Loop {
  readonly range: Expr;
  readonly variables: readonly [Expr, ...Expr[]];
  readonly body: Expr;
  readonly filter?: Expr;
}

function presence(make: Builder, given: Expr | undefined): Expr | MacroProblem | undefined {
  if (given === undefined) return undefined;
  if (given.kind === 'select' && !given.isTest) return make.test(given.operand, given.field);
  return new MacroProblem(given.at, 'invalid argument to has() macro');
}

function oneVariable(make: Builder, name: string, loop: Loop) {
  if (name === 'map') return mapped(make, loop);
  if (name === 'filter') return mapped(make, { ...loop, body: loop.variables[0], filter: loop.body });
  if (name === 'optMap' || name === 'optFlatMap') return optionalMapped(make, name, loop);
  if (name === 'sortBy') return sorted(make, loop);
  return name === 'existsOne' ? undefined : quantifier(make, name, loop);
}

/** The names of the variables, or what is wrong with them. */
function namesOf(variables: readonly Expr[], message: string): string[] | MacroProblem {
  const names: string[] = [];
  for (const variable of variables) {
    if (variable.kind !== 'ident') return new MacroProblem(variable.at, message);
    if (names.includes(variable.name))
      return new MacroProblem(variable.at, `duplicate variable name: ${variable.name}`);
    if (variable.name === '__result__') {
      return new MacroProblem(variable.at, 'iteration variable overwrites accumulator variable');
    }
    names.push(variable.name);
  }
  return names;
}

const SIMPLE_NAME = 'argument must be a simple name';

function quantifier(make: Builder, name: string, { range, variables, body }: Loop) {
  const parts = quantifierParts(make, name, body);
  if (parts === undefined) return undefined;
  const names = namesOf(variables, SIMPLE_NAME);
  if (names instanceof MacroProblem) return names;
  return make.fold({ range, variable: names[0] ?? '', second: names[1], ...parts });
}

function quantifierParts(make: Builder, name: string, body: Expr) {
  const { call, result, literal } = make;
  switch (name) {
    case 'all': {
      const condition = call('@not_strictly_false', result());
      return { init: literal(true), condition, step: call('_&&_', result(), body), result: result() };
    }
    case 'exists': {
      const condition = call('@not_strictly_false', call('!_', result()));
      return { init: literal(false), condition, step: call('_||_', result(), body), result: result() };
    }
    case 'exists_one':
    case 'existsOne': {
      const step = call('_?_:_', body, call('_+_', result(), literal(1n)), result());
      return { init: literal(0n), condition: literal(true), step, result: call('_==_', result(), literal(1n)) };
    }
    default:
      return undefined;
  }
}

function mapped(make: Builder, { range, variables, body, filter }: Loop) {
  const names = namesOf(variables, 'argument is not an identifier');
  if (names instanceof MacroProblem) return names;
  const add = make.call('_+_', make.result(), make.list(body));
  const step = filter === undefined ? add : make.call('_?_:_', filter, add, make.result());
  const parts = { init: make.list(), condition: make.literal(true), step, result: make.result() };
  return make.fold({ range, variable: names[0] ?? '', second: undefined, ...parts });
}

function transformed(make: Builder, name: string, { range, variables, body, filter }: Loop) {
  if (!/^transform(List|Map|MapEntry)$/.test(name)) return undefined;
  const names = namesOf(variables, SIMPLE_NAME);
  if (names instanceof MacroProblem) return names;
  const [variable = '', second] = names;
  const insert = (...entry: Expr[]) => make.call('cel.@mapInsert', make.result(), ...entry);
  const put =
    name === 'transformList'
      ? make.call('_+_', make.result(), make.list(body))
      : name === 'transformMap'
        ? insert(make.ident(variable), body)
        : insert(body);
  const step = filter === undefined ? put : make.call('_?_:_', filter, put, make.result());
  const init = name === 'transformList' ? make.list() : make.emptyMap();
  return make.fold({ range, variable, second, init, condition: make.literal(true), step, result: make.result() });
}

function optionalMapped(make: Builder, name: string, { range: target, variables: [variable], body }: Loop) {
  if (variable.kind !== 'ident') {
    return new MacroProblem(variable.at, `${name}() variable name must be a simple identifier`);
  }
  const bound = make.bind(variable.name, make.member(target, 'value'), body);
  const some = name === 'optMap' ? make.call('optional.of', bound) : bound;
  return make.call('_?_:_', make.member(target, 'hasValue'), some, make.call('optional.none'));
}

const SORTED = '@__sortBy_input__';

function sorted(make: Builder, loop: Loop) {
  const { range: target } = loop;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    return new MacroProblem(
      target.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const keys = mapped(make, { ...loop, range: make.ident(SORTED) });
  if (keys instanceof MacroProblem) return keys;
  return make.bind(SORTED, target, make.member(make.ident(SORTED), '@sortByAssociatedKeys', keys));
}
