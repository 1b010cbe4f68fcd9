import type { CallExpr, Expr } from '@/lib/cel/syntax-tree';
import { type CelCode, type CelCodeConverter, type CodeType, callCode, NoCounterpart } from './cel-code';

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['_==_', 'eq'],
  ['_!=_', 'ne'],
  ['_<_', 'lt'],
  ['_<=_', 'le'],
  ['_>_', 'gt'],
  ['_>=_', 'ge'],
]);

const ARITHMETIC: ReadonlyMap<string, string> = new Map([
  ['_-_', 'sub'],
  ['_*_', 'mul'],
  ['_/_', 'div'],
  ['_%_', 'mod'],
]);

/** Functions of texts: those of templates take the text last. */
const TEXT: ReadonlyMap<string, readonly [name: string, type: CodeType]> = new Map([
  ['lowerAscii', ['lower', 'string']],
  ['upperAscii', ['upper', 'string']],
  ['trim', ['trim', 'string']],
  ['contains', ['contains', 'bool']],
  ['startsWith', ['hasPrefix', 'bool']],
  ['endsWith', ['hasSuffix', 'bool']],
  ['matches', ['regexMatch', 'bool']],
  ['replace', ['replace', 'string']],
  ['split', ['splitList', 'list']],
  ['join', ['join', 'string']],
]);

/** The code of an operator or a function. @throws NoCounterpart */
export function convertCall(node: CallExpr, converter: CelCodeConverter): CelCode {
  const { name, target, args } = node;
  const [first, second, third] = args;
  if (target !== undefined) return convertMethod(node, target, converter);
  const comparison = COMPARISONS.get(name);
  if (comparison !== undefined && first !== undefined && second !== undefined) {
    return compare(comparison, converter.convert(first), converter.convert(second));
  }
  const arithmetic = ARITHMETIC.get(name);
  if (arithmetic !== undefined && first !== undefined && second !== undefined) {
    return calculate(arithmetic, converter.convert(first), converter.convert(second));
  }
  if (name === '_?_:_' && first !== undefined && second !== undefined && third !== undefined) {
    const [yes, no] = [converter.convert(second), converter.convert(third)];
    const type = yes.type === no.type ? yes.type : 'any';
    return { code: callCode('ternary', yes.code, no.code, converter.condition(first)), type };
  }
  if (name === '_+_' && first !== undefined && second !== undefined) {
    return add(converter.convert(first), converter.convert(second));
  }
  return convertFunction(name, args, converter);
}

function convertFunction(name: string, args: readonly Expr[], converter: CelCodeConverter): CelCode {
  const [first, second] = args;
  if (first === undefined) throw new NoCounterpart(`the function ${name}`);
  const isBinary = second !== undefined;
  if (name === '_&&_' && isBinary) return logic('and', first, second, converter);
  if (name === '_||_' && isBinary) return logic('or', first, second, converter);
  if (name === '!_') return { code: callCode('not', converter.condition(first)), type: 'bool' };
  if ((name === '@in' || name === '_in_') && isBinary) {
    return { code: callCode('has', converter.convert(first).code, converter.convert(second).code), type: 'bool' };
  }
  if (name === '_[_]' && isBinary) {
    return { code: callCode('index', converter.convert(first).code, converter.convert(second).code), type: 'any' };
  }
  const { code, type } = converter.convert(first);
  if (name === '-_' && type === 'int') return { code: callCode('sub', '0', code), type };
  if (name === 'string') return { code: callCode('toString', code), type: 'string' };
  if (name === 'int') return { code: callCode('int', code), type: 'int' };
  if (name === 'double') return { code: callCode('float64', code), type: 'double' };
  if (name === 'size') return { code: callCode('len', code), type: 'int' };
  throw new NoCounterpart(`the function ${name.replace(/^_|_$/g, '')}`);
}

function convertMethod({ name, args }: CallExpr, target: Expr, converter: CelCodeConverter): CelCode {
  if (name === 'orValue' && args[0] !== undefined) return optional(target, args[0], converter);
  const of = converter.convert(target);
  if (name === 'size') return { code: callCode('len', of.code), type: 'int' };
  const known = TEXT.get(name);
  if (known === undefined) throw new NoCounterpart(`the function ${name}`);
  return { code: callCode(known[0], ...args.map((each) => converter.convert(each).code), of.code), type: known[1] };
}

/** `a.?b.?c.orValue(d)` is `dig "b" "c" d a`. */
function optional(target: Expr, otherwise: Expr, converter: CelCodeConverter): CelCode {
  const keys: string[] = [];
  let base: Expr = target;
  while (base.kind === 'call' && base.name === '_?._') {
    const [operand, field] = base.args;
    if (operand === undefined || field?.kind !== 'literal') throw new NoCounterpart('such an optional field');
    keys.unshift(String(field.value));
    base = operand;
  }
  const fallback = converter.convert(otherwise);
  if (keys.length === 0) throw new NoCounterpart('orValue without an optional field');
  const code = callCode('dig', ...keys.map((key) => JSON.stringify(key)), fallback.code, converter.convert(base).code);
  return { code, type: fallback.type };
}

function logic(name: string, first: Expr, second: Expr, converter: CelCodeConverter): CelCode {
  return { code: callCode(name, converter.condition(first), converter.condition(second)), type: 'bool' };
}

/** A number of an object may be any of Go's types of numbers, and Go compares only equal ones. */
function compare(name: string, left: CelCode, right: CelCode): CelCode {
  const asNumber = (side: CelCode, other: CelCode) => {
    if (side.type === 'any' && other.type === 'int') return callCode('int', side.code);
    return side.type === 'any' && other.type === 'double' ? callCode('float64', side.code) : side.code;
  };
  return { code: callCode(name, asNumber(left, right), asNumber(right, left)), type: 'bool' };
}

function calculate(name: string, left: CelCode, right: CelCode): CelCode {
  if (left.type === 'double' || right.type === 'double') throw new NoCounterpart('arithmetic of fractions');
  return { code: callCode(name, left.code, right.code), type: 'int' };
}

function add(left: CelCode, right: CelCode): CelCode {
  if (left.type === 'list' && right.type === 'list') {
    return { code: callCode('concat', left.code, right.code), type: 'list' };
  }
  if (left.type === 'string' || right.type === 'string') {
    return { code: callCode('printf', '"%v%v"', left.code, right.code), type: 'string' };
  }
  return calculate('add', left, right);
}
