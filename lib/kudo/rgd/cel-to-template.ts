import { parseExpression } from '@/lib/cel/parse-expression';
import type { CallExpr, Expr, SelectExpr } from '@/lib/cel/syntax-tree';
import { type CelCode, type CelCodeConverter, callCode, NoCounterpart } from './cel-code';
import { convertCall } from './convert-call';
import { fieldAt, type RgdField, type RgdNames } from './rgd-names';

/** Converts the parts of one expression, and notes which fields of resources it uses. */
class CelConverter implements CelCodeConverter {
  /** Fields of resources, as names from the id on. */
  readonly uses: (readonly string[])[] = [];

  constructor(readonly names: RgdNames) {}

  convert(node: Expr): CelCode {
    switch (node.kind) {
      case 'literal':
        return literal(node.value);
      case 'list':
        if (node.optional.size > 0) throw new NoCounterpart('optional items');
        return { code: callCode('list', ...node.items.map((item) => this.convert(item).code)), type: 'list' };
      case 'map': {
        if (node.entries.some(({ isOptional }) => isOptional)) throw new NoCounterpart('optional entries');
        const parts = node.entries.flatMap(({ key, value }) => [this.convert(key).code, this.convert(value).code]);
        return { code: callCode('dict', ...parts), type: 'map' };
      }
      case 'ident':
      case 'select':
        return this.path(node);
      case 'call':
        return convertCall(node, this);
      default:
        throw new NoCounterpart('macros such as map and filter');
    }
  }

  condition(node: Expr): string {
    const { code, type } = this.convert(node);
    if (type === 'bool' || type === 'any') return code;
    throw new NoCounterpart(`a condition that is no bool (${type})`);
  }

  private path(node: Expr): CelCode {
    if (node.kind === 'select' && node.isTest) return this.test(node);
    const names = namesOf(node);
    if (names === undefined) {
      if (node.kind !== 'select') throw new NoCounterpart('such a value');
      const operand = this.convert(node.operand);
      return { code: `${operand.code}.${node.field}`, type: 'any' };
    }
    const [first = '', second, ...below] = names;
    if (this.names.ids.has(first)) {
      this.uses.push(names);
      return { code: member('.Objects', names), type: 'any' };
    }
    if (first !== 'schema') throw new NoCounterpart(`the name ${first}`);
    if (second === 'metadata') return ofMetadata(below);
    const found = second === 'spec' ? fieldAt(this.names, below) : undefined;
    if (found === undefined) throw new NoCounterpart(`${names.join('.')}, which is no field with a type of its own`);
    return ofField(found.field, found.rest);
  }

  /** `has(a.b)`: of a field of the schema it is whether it has a value. */
  private test(node: SelectExpr): CelCode {
    const names = namesOf({ ...node, isTest: false }) ?? [];
    const found = names[0] === 'schema' && names[1] === 'spec' ? fieldAt(this.names, names.slice(2)) : undefined;
    if (found !== undefined && found.rest.length === 0) {
      return { code: callCode('ne', `.Params.${found.field.parameter}`, '""'), type: 'bool' };
    }
    const operand = this.convert(node.operand);
    return { code: callCode('hasKey', operand.code, JSON.stringify(node.field)), type: 'bool' };
  }
}

/** The code of one expression, and the fields of resources that it uses; or why it has no counterpart. */
export function celToTemplate(
  text: string,
  names: RgdNames,
): (CelCode & { readonly uses: readonly (readonly string[])[] }) | { readonly problem: string } {
  const parsed = parseExpression(text);
  if ('problem' in parsed) return { problem: parsed.problem.split('\n', 1)[0] ?? '' };
  const converter = new CelConverter(names);
  try {
    return { ...converter.convert(parsed.tree), uses: converter.uses };
  } catch (error) {
    if (error instanceof NoCounterpart) return { problem: `templates have no counterpart of ${error.message}` };
    throw error;
  }
}

function literal(value: unknown): CelCode {
  if (value === null) return { code: 'nil', type: 'any' };
  if (typeof value === 'string') return { code: JSON.stringify(value), type: 'string' };
  if (typeof value === 'bigint') return { code: String(value), type: 'int' };
  if (typeof value === 'number') return { code: String(value), type: 'double' };
  if (typeof value === 'boolean') return { code: String(value), type: 'bool' };
  throw new NoCounterpart('such a literal');
}

/** Names of `a.b["c"]`, undefined for any other expression. */
function namesOf(node: Expr): string[] | undefined {
  if (node.kind === 'ident') return [node.name];
  if (node.kind === 'select') {
    const operand = node.isTest ? undefined : namesOf(node.operand);
    return operand === undefined ? undefined : [...operand, node.field];
  }
  return node.kind === 'call' && node.name === '_[_]' ? namesOfIndex(node) : undefined;
}

function namesOfIndex({ args: [operand, key] }: CallExpr): string[] | undefined {
  const isName = key?.kind === 'literal' && typeof key.value === 'string';
  const names = operand === undefined || !isName ? undefined : namesOf(operand);
  return names === undefined ? undefined : [...names, String(key?.kind === 'literal' ? key.value : '')];
}

/** `.Objects.a.b`; a name that is no identifier is an index. */
function member(root: string, names: readonly string[]): string {
  return names.reduce(
    (code, name) =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `${code}.${name}` : callCode('index', code, JSON.stringify(name)),
    root,
  );
}

function ofMetadata([field]: readonly string[]): CelCode {
  if (field === 'name') return { code: '.Name', type: 'string' };
  if (field === 'namespace') return { code: '.Namespace', type: 'string' };
  throw new NoCounterpart(`schema.metadata.${field ?? ''}; templates see name and namespace`);
}

/** Parameters of KUDO are texts, but for lists and maps. */
function ofField({ parameter, type }: RgdField, rest: readonly string[]): CelCode {
  const code = `.Params.${parameter}`;
  if (rest.length > 0) return { code: member(code, rest), type: 'any' };
  switch (type) {
    case 'integer':
      return { code: callCode('int', code), type: 'int' };
    case 'number':
      return { code: callCode('float64', code), type: 'double' };
    case 'boolean':
      return { code: callCode('eq', code, '"true"'), type: 'bool' };
    case 'array':
      return { code, type: 'list' };
    case 'map':
      return { code, type: 'map' };
    default:
      return { code, type: 'string' };
  }
}
