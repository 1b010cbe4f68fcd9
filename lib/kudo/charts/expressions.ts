import type { CommandNode, ExpressionNode, PipeNode } from '@/lib/template/parse/nodes';
import { toLooseText } from '@/lib/template/value/bytes';
import type { ChartValues } from './chart-values';
import { foldCall } from './fold-call';
import { CHANGES_VALUES, LINE, LINE_OF_LINES, NOT_IN_KUDO, RENAMED, TAKES_TEXT } from './function-facts';
import { isServed } from './helm-functions';
import { decided, isConstantText, knownText, locate, withoutEmpty } from './known-results';
import {
  isTruthy,
  literalOf,
  type Meaning,
  memberOf,
  NOTHING,
  parameterCode,
  ROOT,
  toCode,
  Unconvertible,
  type Use,
} from './meaning';
import type { Chart } from './read-chart';
import { operandOf } from './writer';

/** What is known where an expression stands. */
export interface ChartScope {
  readonly dot: Meaning;
  /** `$`. */
  readonly dollar: Meaning;
  /** Variables by the name in the chart, with `$`. */
  readonly variables: Map<string, Meaning>;
  /** The dot of the package's template is KUDO's root. */
  readonly isAtRoot: boolean;
}

/** What expressions need of the statements around them. */
export interface Includes {
  /** The text of a definition, as Helm's `include` returns it. */
  include(name: string, data: Meaning, scope: ChartScope): Meaning;
  /** The text that a value gives as a template. */
  tpl(value: Meaning, data: Meaning, scope: ChartScope): Meaning;
  /** A variable that holds the code now. */
  hold(code: string): Meaning;
  /** A text for the person. */
  note(message: string): void;
}

/** Turns expressions of a chart into their meaning for a package. */
export class ExpressionConverter {
  constructor(
    readonly values: ChartValues,
    private readonly charts: ReadonlyMap<string, Chart>,
    private readonly includes: Includes,
  ) {}

  pipe(pipe: PipeNode, scope: ChartScope): Meaning {
    let value: Meaning | undefined;
    for (const command of pipe.commands) value = this.command(command, value, scope);
    return value ?? NOTHING;
  }

  private command(command: CommandNode, final: Meaning | undefined, scope: ChartScope): Meaning {
    const [first, ...rest] = command.arguments;
    if (first === undefined) return NOTHING;
    if (first.kind === 'identifier') {
      return locate(first.at, () => this.call(first.name, rest, final, scope));
    }
    if (rest.length > 0 || final !== undefined) throw new Unconvertible('a method is called', first.at);
    return this.operand(first, scope);
  }

  operand(node: ExpressionNode, scope: ChartScope): Meaning {
    switch (node.kind) {
      case 'dot':
        return scope.dot;
      case 'nil':
        return NOTHING;
      case 'bool':
        return { kind: 'constant', value: node.value };
      case 'string':
        return { kind: 'constant', value: toLooseText(node.value) };
      case 'number':
        return { kind: 'constant', value: node.float ?? 0, literal: node.text };
      case 'pipe':
        return this.pipe(node, scope);
      case 'identifier':
        return locate(node.at, () => this.call(node.name, [], undefined, scope));
      case 'field':
        return locate(node.at, () => this.members(scope.dot, node.names));
      case 'chain':
        return locate(node.at, () => this.members(this.operand(node.base, scope), node.names));
      case 'variable': {
        const [name = '', ...names] = node.names;
        const value = name === '$' ? scope.dollar : scope.variables.get(name);
        if (value === undefined) throw new Unconvertible(`the variable ${name} is not known`, node.at);
        return locate(node.at, () => this.members(value, names));
      }
    }
  }

  private members(base: Meaning, names: readonly string[]): Meaning {
    return names.reduce((value, name) => memberOf(value, name, this.values), base);
  }

  private call(name: string, nodes: readonly ExpressionNode[], final: Meaning | undefined, scope: ChartScope): Meaning {
    const values = nodes.map((node) => this.operand(node, scope));
    const all = final === undefined ? values : [...values, final];
    const special = this.special(name, all, scope);
    if (special !== undefined) return special;
    const folded = foldCall(name, all);
    if (folded !== undefined) return folded;
    if (NOT_IN_KUDO.has(name)) throw new Unconvertible(`templates of packages have no function ${name}`);
    if (CHANGES_VALUES.has(name)) throw new Unconvertible(`${name} changes a value in place`);
    const use: Use = TAKES_TEXT.has(name) ? 'text' : 'value';
    const codes = all.map((each) => this.code(each, use));
    const known = RENAMED.get(name) ?? name;
    const isOfDot = codes.some((each) => each.isOfDot);
    const isLine = LINE.has(name) || (LINE_OF_LINES.has(name) && codes.every((each) => each.isLine));
    const last = codes.at(-1);
    const others = codes.slice(0, -1).map((each) => operandOf(each.code));
    // A value that came through a pipe goes on through it: that is how people read templates.
    if (final === undefined || last === undefined) {
      return toCode([known, ...codes.map((each) => operandOf(each.code))].join(' '), { isOfDot, isLine });
    }
    return toCode(`${last.code} | ${[known, ...others].join(' ')}`, { isOfDot, isLine });
  }

  /** Functions that mean something else in a package, or are known now. */
  private special(name: string, all: readonly Meaning[], scope: ChartScope): Meaning | undefined {
    const [first = NOTHING, second = NOTHING] = all;
    switch (name) {
      case 'include':
        return this.includes.include(knownText(first), second, scope);
      case 'tpl':
        return this.includes.tpl(first, second, scope);
      case 'required':
        return this.required(second);
      case 'lookup':
        this.includes.note('lookup finds nothing: a package cannot read the cluster while it is rendered.');
        return { kind: 'constant', value: {} };
      case 'hasApiVersion':
        return { kind: 'constant', value: isServed(knownText(first)) };
      case 'chartFile':
        return { kind: 'constant', value: this.charts.get(knownText(first))?.files.get(knownText(second)) ?? '' };
      case 'dict':
        return this.dict(all);
      case 'get':
      case 'index':
        return second.kind === 'constant' &&
          typeof second.value === 'string' &&
          all.length === 2 &&
          first.kind !== 'code'
          ? memberOf(first, second.value, this.values)
          : undefined;
      case 'hasKey':
        return first.kind === 'object' && second.kind === 'constant'
          ? { kind: 'constant', value: first.members.has(String(second.value)) }
          : undefined;
      case 'toYaml': {
        const { code, isOfDot } = this.code(first, 'value');
        return toCode(`toYaml ${operandOf(code)} | trim`, { isOfDot });
      }
      case 'ternary': {
        const chosen = all[2]?.kind === 'constant' ? all[2].value : undefined;
        return typeof chosen === 'boolean' ? (chosen ? first : second) : undefined;
      }
      case 'contains':
        // Parameters are not templates, so that the way for those that are is never taken.
        return isConstantText(first) && first.value === '{{' && second.kind === 'code' && second.isOfValue === true
          ? { kind: 'constant', value: false }
          : undefined;
      case 'toJson': {
        const { code, isOfDot } = this.code(first, 'value');
        return toCode(`toJson ${operandOf(code)}`, { isOfDot, isLine: true, isOfValue: true });
      }
      case 'and':
      case 'or':
        return decided(all, name === 'or');
      case 'default':
      case 'coalesce':
        return withoutEmpty(name, all);
      case 'typeIs':
      case 'kindIs':
        return this.kindIs(first, second);
      default:
        return undefined;
    }
  }

  private required(value: Meaning): Meaning {
    const place = value.kind === 'values' ? this.values.placeOf(value.path) : undefined;
    if (place?.kind === 'parameter' && place.below.length === 0) this.values.requireValue(place.parameter);
    return value;
  }

  private dict(all: readonly Meaning[]): Meaning | undefined {
    const members = new Map<string, Meaning>();
    for (let index = 0; index < all.length; index += 2) {
      const [name, value = NOTHING] = [all[index], all[index + 1]];
      if (name?.kind !== 'constant' || typeof name.value !== 'string') return undefined;
      // The dot may be another one where the member is used.
      members.set(name.value, value.kind === 'code' && value.isOfDot ? this.includes.hold(value.code) : value);
    }
    return { kind: 'object', members };
  }

  /** The kind of a parameter is known, whatever its value. */
  private kindIs(wanted: Meaning, value: Meaning): Meaning | undefined {
    if (wanted.kind !== 'constant' || value.kind !== 'values') return undefined;
    const place = this.values.placeOf(value.path);
    if (place.kind === 'map') return { kind: 'constant', value: wanted.value === 'map' || wanted.value === MAP };
    if (place.kind !== 'parameter' || place.below.length > 0) return undefined;
    const kinds = {
      string: ['string'],
      boolean: ['bool'],
      integer: ['float64'],
      number: ['float64'],
      map: ['map', MAP],
      array: ['slice', LIST],
    };
    return { kind: 'constant', value: kinds[place.parameter.type].includes(String(wanted.value)) };
  }

  /** A meaning as code. @throws Unconvertible for what does not exist when a package is rendered */
  code(meaning: Meaning, use: Use): Extract<Meaning, { kind: 'code' }> {
    switch (meaning.kind) {
      case 'code':
        return meaning;
      case 'constant':
        return toCode(meaning.literal ?? literalOf(meaning.value), { isLine: !String(meaning.value).includes('\n') });
      case 'values': {
        const place = this.values.placeOf(meaning.path);
        if (place.kind === 'parameter') {
          this.values.markUsed(place.parameter);
          return parameterCode(place.parameter, place.below, use);
        }
        if (meaning.path.length === 0) throw new Unconvertible('.Values is used as a whole');
        this.values.markWhole(meaning.path);
        return toCode('dict');
      }
      case 'object': {
        const members = [...meaning.members].flatMap(([name, each]) => [
          literalOf(name),
          operandOf(this.code(each, 'value').code),
        ]);
        const isOfDot = [...meaning.members.values()].some((each) => each.kind === 'code' && each.isOfDot);
        return toCode(['dict', ...members].join(' '), { isOfDot });
      }
      case 'root':
        throw new Unconvertible('the root is used as a value');
    }
  }

  /** Whether a condition is true, if that is known now. */
  truth(meaning: Meaning): boolean | undefined {
    if (meaning.kind === 'constant') return isTruthy(meaning.value);
    if (meaning.kind === 'root') return true;
    if (meaning.kind === 'object') return meaning.members.size > 0;
    if (meaning.kind === 'code') return meaning.code === `${ROOT}.AppVersion` ? true : undefined;
    return meaning.kind === 'values' && this.values.placeOf(meaning.path).kind === 'map' ? true : undefined;
  }
}

const MAP = 'map[string]interface {}';
const LIST = '[]interface {}';

/** TemplateCode as it is written where the dot of the package's template is, or is not, KUDO's root. */
export function writtenCode(code: string, isAtRoot: boolean): string {
  return code.replaceAll(ROOT, isAtRoot ? '' : '$');
}
