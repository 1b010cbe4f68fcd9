import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  formatType,
  listTypeOf,
  mapTypeOf,
  optionalOf,
  paramType,
  sameType,
} from './cel-type';
import { FUNCTIONS, type Overload, TYPE_NAMES } from './declarations';
import { describeFindings, type Finding } from './expression-error';
import { iteratedTypes, literalType, qualifiedName } from './node-types';
import { Scopes, type Variables } from './scopes';
import type { CallExpr, Expr, Fold, ListExpr, MapExpr, SelectExpr, StructExpr } from './syntax-tree';
import { assignable, type Mapping, mostGeneral, substitute, unwrapOptional } from './type-inference';

/** An expression whose types are known. */
export interface Checked {
  readonly tree: Expr;
  readonly types: ReadonlyMap<Expr, CelType>;
  /** The overloads that a call may mean: one where types decide, more where they are dynamic. */
  readonly overloads: ReadonlyMap<Expr, readonly string[]>;
  /** Identifiers that are names of types. */
  readonly typeNames: ReadonlyMap<Expr, CelType>;
  /** The variables of the environment that are used, with qualified names (`authorizer.requestResource`). */
  readonly names: ReadonlyMap<Expr, string>;
}

/** Infers the types of an expression, or returns cel-go's type errors. It resolves qualified names in the tree. */
export function checkExpression(
  text: string,
  tree: Expr,
  variables: Variables,
): { readonly checked: Checked } | { readonly problem: string } {
  const checker = new Checker(variables);
  const checked = checker.run(tree);
  return checker.findings.length > 0 ? { problem: describeFindings(text, checker.findings) } : { checked };
}

class Checker {
  readonly findings: Finding[] = [];
  private readonly types = new Map<Expr, CelType>();
  private readonly overloads = new Map<Expr, readonly string[]>();
  private mapping: Mapping = new Map();
  private readonly scopes: Scopes;
  private made = 0;

  constructor(variables: Variables) {
    this.scopes = new Scopes(variables);
  }

  run(tree: Expr): Checked {
    this.check(tree);
    const types = new Map([...this.types].map(([each, type]) => [each, substitute(this.mapping, type, true)]));
    return { tree, types, overloads: this.overloads, typeNames: this.scopes.typeNames, names: this.scopes.names };
  }

  private report(at: number, message: string): void {
    this.findings.push({ at, message });
  }

  private check(node: Expr): CelType {
    const type = this.typeOf(node);
    this.types.set(node, type);
    return type;
  }

  private typeOf(node: Expr): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'ident':
        return this.scopes.typeOf(node, node.name) ?? this.undeclared(node.at, node.name);
      case 'select':
        return this.selectType(node);
      case 'call':
        return this.callType(node);
      case 'list':
        return this.listType(node);
      case 'map':
        return this.mapType(node);
      case 'struct':
        return this.structOf(node);
      default:
        return this.foldType(node);
    }
  }

  private undeclared(at: number, name: string): CelType {
    this.report(at, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  private selectType(node: SelectExpr): CelType {
    const name = node.isTest ? undefined : qualifiedName(node);
    const known = name === undefined || this.scopes.isLocal(name) ? undefined : this.scopes.typeOf(node, name);
    if (known !== undefined) return known;
    const type = this.fieldType(node.at, node.operand, node.field, false);
    return node.isTest ? BOOL : substitute(this.mapping, type, false);
  }

  private fieldType(at: number, operand: Expr, field: string, isOptional: boolean): CelType {
    const given = substitute(this.mapping, this.check(operand), false);
    const { type, isOptional: wasOptional } = unwrapOptional(given);
    const result = this.memberType(at, type, field);
    return isOptional || wasOptional ? optionalOf(result) : result;
  }

  private memberType(at: number, type: CelType, field: string): CelType {
    switch (type.kind) {
      case 'map':
        return type.params[1] ?? DYN;
      case 'struct': {
        const found = type.fields?.get(field);
        if (found === undefined) this.report(at, `undefined field '${field}'`);
        return found ?? ERROR;
      }
      case 'param':
        this.fits(DYN, type);
        return DYN;
      case 'dyn':
      case 'any':
      case 'error':
        return DYN;
      default:
        this.report(at, `type '${formatType(type)}' does not support field selection`);
        return DYN;
    }
  }

  private callType(node: CallExpr): CelType {
    if (node.name === '_?._') return this.optionalSelect(node);
    const args = node.args.map((each) => this.check(each));
    const { target } = node;
    if (target !== undefined) {
      const prefix = qualifiedName(target);
      const whole = prefix === undefined ? '' : `${prefix}.${node.name}`.replace(/^\./, '');
      if (FUNCTIONS.has(whole)) {
        node.name = whole;
        node.target = undefined;
        return this.resolve(node, args, false);
      }
      args.unshift(this.check(target));
    }
    const name = node.name.replace(/^\./, '');
    if (!FUNCTIONS.has(name)) return this.undeclared(node.at, node.name);
    node.name = name;
    return this.resolve(node, args, target !== undefined);
  }

  private optionalSelect(node: CallExpr): CelType {
    const [operand, field] = node.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') return ERROR;
    this.overloads.set(node, ['select_optional_field']);
    return substitute(this.mapping, this.fieldType(node.at, operand, field.value, true), false);
  }

  private resolve(node: CallExpr, args: readonly CelType[], isMember: boolean): CelType {
    if (node.name === '_&&_' || node.name === '_||_') return this.logical(node, args);
    const found: string[] = [];
    let result: CelType | undefined;
    for (const overload of FUNCTIONS.get(node.name) ?? []) {
      if (overload.isMember !== isMember) continue;
      const { wanted, given } = this.instance(overload);
      const mapping = assignable(this.mapping, args, wanted);
      if (mapping === undefined) continue;
      this.mapping = mapping;
      found.push(overload.id);
      const type = substitute(this.mapping, given, false);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
    }
    if (result === undefined) return this.noOverload(node, args, isMember);
    this.overloads.set(node, found);
    return result;
  }

  private noOverload(node: CallExpr, given: readonly CelType[], isMember: boolean): CelType {
    const types = given.map((each) => formatType(substitute(this.mapping, each, true)));
    const target = isMember ? `${types.shift() ?? ''}.` : '';
    const text = `found no matching overload for '${node.name}' applied to '${target}(${types.join(', ')})'`;
    this.report(node.at, text);
    return ERROR;
  }

  private logical(node: CallExpr, args: readonly CelType[]): CelType {
    this.overloads.set(node, [node.name === '_&&_' ? 'logical_and' : 'logical_or']);
    let isWrong = false;
    for (const [index, type] of args.entries()) {
      if (this.fits(type, BOOL)) continue;
      this.report(node.args[index]?.at ?? node.at, `expected type 'bool' but found '${formatType(type)}'`);
      isWrong = true;
    }
    return isWrong ? ERROR : BOOL;
  }

  /** The types of an overload with parameters of their own. */
  private instance({ args, result, params }: Overload): { wanted: readonly CelType[]; given: CelType } {
    if (params.length === 0) return { wanted: args, given: result };
    const fresh: Mapping = new Map(params.map((name) => [name, this.newParam()]));
    return { wanted: args.map((each) => substitute(fresh, each, false)), given: substitute(fresh, result, false) };
  }

  private newParam(): CelType {
    return paramType(`_var${this.made++}`);
  }

  private fits(given: CelType, wanted: CelType): boolean {
    const mapping = assignable(this.mapping, [given], [wanted]);
    if (mapping !== undefined) this.mapping = mapping;
    return mapping !== undefined;
  }

  /** The type of items of both types. Literals that mix types are found later, when all else is right. */
  private join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    return this.fits(before, type) ? mostGeneral(before, type) : DYN;
  }

  private mismatch(at: number, wanted: CelType, found: CelType): void {
    this.report(at, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`);
  }

  private optionalItem(node: Expr, given: CelType, isMarked: boolean): CelType {
    if (!isMarked) return given;
    const { type, isOptional } = unwrapOptional(given);
    if (!isOptional && type.kind !== 'dyn') this.mismatch(node.at, optionalOf(type), type);
    return type;
  }

  private listType(node: ListExpr): CelType {
    let items: CelType | undefined;
    for (const [index, item] of node.items.entries()) {
      const type = this.optionalItem(item, this.check(item), node.optional.has(index));
      items = this.join(items, type);
    }
    return listTypeOf(items ?? this.newParam());
  }

  private mapType(node: MapExpr): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, isOptional } of node.entries) {
      keys = this.join(keys, this.check(key));
      values = this.join(values, this.optionalItem(value, this.check(value), isOptional));
    }
    return mapTypeOf(keys ?? this.newParam(), values ?? this.newParam());
  }

  private structOf(node: StructExpr): CelType {
    node.name = node.name.replace(/^\./, '');
    const type = TYPE_NAMES.get(node.name);
    if (type === undefined) {
      this.report(node.at, `undeclared reference to '${node.name}' (in container '')`);
      return ERROR;
    }
    this.report(node.at, `'${node.name}' is not a message type`);
    for (const { value } of node.fields) this.check(value);
    return ERROR;
  }

  private foldType(node: Fold): CelType {
    const range = substitute(this.mapping, this.check(node.range), false);
    const carried = this.check(node.init);
    const [first, second] = this.iterated(node, range);
    this.scopes.push(new Map([[node.accumulator, carried]]));
    const names: [string, CelType][] = [[node.variable, first]];
    if (node.second !== undefined) names.push([node.second, second]);
    this.scopes.push(new Map(names));
    this.demand(node.condition, BOOL);
    this.demand(node.step, carried);
    this.scopes.pop();
    const result = this.check(node.result);
    this.scopes.pop();
    return substitute(this.mapping, result, false);
  }

  private demand(node: Expr, wanted: CelType): void {
    const type = this.check(node);
    if (!this.fits(wanted, type)) this.mismatch(node.at, wanted, type);
  }

  private iterated({ range: node, second }: Fold, range: CelType): readonly [CelType, CelType] {
    const types = iteratedTypes(range, second !== undefined);
    if (types === undefined) {
      const text = `expression of type '${formatType(range)}' cannot be range of a comprehension`;
      this.report(node.at, `${text} (must be list, map, or dynamic)`);
    } else if (range.kind !== 'list' && range.kind !== 'map') this.fits(DYN, range);
    return types ?? [ERROR, ERROR];
  }
}
