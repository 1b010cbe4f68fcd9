import type { ArgumentKind } from '../functions/define';
import { describeNode } from '../parse/describe-node';
import type { ExpressionNode, Node, NumberNode } from '../parse/nodes';
import { Certificate } from '../value/certificate';
import { SemverVersion } from '../value/semver-version';
import { GoLocation, GoTime } from '../value/time';
import { ANY_MAP, ANY_SLICE, GO_DURATION, GO_INT, INT64, UINT32 } from '../value/types';
import { GoInt, GoMap, GoSlice, int, type Value } from '../value/value';
import { type Evaluate, goTypeNameOf, type Rendering } from './run';

/** Converts an argument to the form that the implementation of a function receives (functions/define ArgumentTypes). */
export type EvaluateArgument = (run: Rendering, dot: Value) => unknown;

const TYPE_NAMES: { readonly [K in ArgumentKind]: string } = {
  any: 'interface {}',
  reflect: 'reflect.Value',
  string: 'string',
  int: 'int',
  int64: 'int64',
  uint32: 'uint32',
  float64: 'float64',
  bool: 'bool',
  dict: 'map[string]interface {}',
  list: '[]interface {}',
  time: 'time.Time',
  duration: 'time.Duration',
  location: '*time.Location',
  certificate: 'sprig.certificate',
  semver: '*semver.Version',
};

const NIL_DICT = GoMap.nil(ANY_MAP);
const NIL_LIST = new GoSlice(ANY_SLICE, [], true);

/** Checks a value against a parameter's type (text/template validateType) and converts it to the implementation's form. */
export function convertArgument(run: Rendering, value: Value, kind: ArgumentKind): unknown {
  if (kind === 'any') return value === undefined ? null : value;
  if (kind === 'reflect') return value === null ? undefined : value;
  if (kind === 'string' && typeof value === 'string') return value;
  const converted = convertTyped(value, kind);
  if (converted !== MISMATCH) return converted;
  if (value === undefined) {
    const zero = zeroOfNillable(kind);
    if (zero !== MISMATCH) return zero;
    throw run.fail(`invalid value; expected ${TYPE_NAMES[kind]}`);
  }
  throw run.fail(`wrong type for value; expected ${TYPE_NAMES[kind]}; got ${goTypeNameOf(value)}`);
}

const MISMATCH: unique symbol = Symbol('mismatch');

function zeroOfNillable(kind: ArgumentKind): unknown {
  switch (kind) {
    case 'dict':
      return NIL_DICT;
    case 'list':
      return NIL_LIST;
    case 'semver':
    case 'location':
      return null;
    case 'any':
      return null;
    case 'reflect':
      return undefined;
    default:
      return MISMATCH;
  }
}

const OBJECT_CLASSES = { time: GoTime, location: GoLocation, certificate: Certificate, semver: SemverVersion };

function convertTyped(value: Value, kind: ArgumentKind): unknown {
  switch (kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : MISMATCH;
    case 'float64':
      return typeof value === 'number' ? value : MISMATCH;
    case 'int':
    case 'int64':
    case 'uint32':
    case 'duration':
      return value instanceof GoInt ? convertInteger(value, kind) : MISMATCH;
    case 'dict':
      return value instanceof GoMap && value.type === ANY_MAP ? value : MISMATCH;
    case 'list':
      return value instanceof GoSlice && value.type === ANY_SLICE ? value : MISMATCH;
    case 'time':
    case 'location':
    case 'certificate':
    case 'semver':
      return value instanceof OBJECT_CLASSES[kind] ? value : MISMATCH;
    default:
      return MISMATCH;
  }
}

function convertInteger(
  { type, value }: GoInt,
  kind: 'int' | 'int64' | 'uint32' | 'duration',
): number | bigint | typeof MISMATCH {
  switch (kind) {
    case 'int':
      return type === GO_INT ? Number(value) : MISMATCH;
    case 'int64':
      return type === INT64 ? value : MISMATCH;
    case 'uint32':
      return type === UINT32 ? Number(value) : MISMATCH;
    case 'duration':
      return type === GO_DURATION ? value : MISMATCH;
  }
}

/**
 * Compiles an argument of a call for a parameter type (text/template evalArg): literals have to fit the type as
 * written, everything else is evaluated and checked. `evaluate` is the compiled expression, absent for literals.
 */
export function compileArgument(node: ExpressionNode, kind: ArgumentKind, evaluate: Evaluate): EvaluateArgument {
  switch (node.kind) {
    case 'nil': {
      const zero = zeroOfNillable(kind);
      if (zero !== MISMATCH) return constant(node, zero);
      return failing(node, () => `cannot assign nil to ${TYPE_NAMES[kind]}`);
    }
    case 'bool':
    case 'number':
    case 'string':
      return compileLiteral(node, kind, evaluate);
    case 'dot':
      return (run, dot) => {
        run.node = node;
        return convertArgument(run, dot, kind);
      };
    default:
      if (kind === 'any') {
        return (run, dot) => {
          run.node = node;
          const value = evaluate(run, dot);
          return value === undefined ? null : value;
        };
      }
      return (run, dot) => {
        run.node = node;
        return convertArgument(run, evaluate(run, dot), kind);
      };
  }
}

type Literal = Extract<ExpressionNode, { kind: 'bool' | 'number' | 'string' }>;

function compileLiteral(node: Literal, kind: ArgumentKind, evaluate: Evaluate): EvaluateArgument {
  const text = describeNode(node);
  switch (kind) {
    case 'any':
    case 'reflect':
      return evaluate;
    case 'string':
      return node.kind === 'string'
        ? constant(node, node.value)
        : failing(node, () => `expected string; found ${text}`);
    case 'bool':
      return node.kind === 'bool' ? constant(node, node.value) : failing(node, () => `expected bool; found ${text}`);
    case 'int':
    case 'int64':
    case 'duration':
      if (node.kind !== 'number' || node.int === undefined) {
        return failing(node, () => `expected integer; found ${text}`);
      }
      return constant(node, kind === 'int' ? Number(node.int) : node.int);
    case 'uint32':
      if (node.kind !== 'number' || node.uint === undefined) {
        return failing(node, () => `expected unsigned integer; found ${text}`);
      }
      return constant(node, Number(BigInt.asUintN(32, node.uint)));
    case 'float64':
      if (node.kind !== 'number' || node.float === undefined) {
        return failing(node, () => `expected float; found ${text}`);
      }
      return constant(node, node.float);
    default:
      return failing(node, () => `can't handle ${text} for arg of type ${TYPE_NAMES[kind]}`);
  }
}

function constant(node: ExpressionNode, value: unknown): EvaluateArgument {
  return (run) => {
    run.node = node;
    return value;
  };
}

export function failing(node: Node, message: () => string): (run: Rendering) => never {
  return (run) => {
    run.node = node;
    throw run.fail(message());
  };
}

/** The value of a number literal (text/template idealConstant), or undefined when it overflows int. */
export function literalNumber(node: NumberNode): Value {
  if (node.complex !== undefined) return undefined;
  const isHex = /^[+-]?0[xX]/.test(node.text) && !/[pP]/.test(node.text);
  const isFloatText = !isHex && !node.text.startsWith("'") && /[.eEpP]/.test(node.text);
  if (node.float !== undefined && isFloatText) return node.float;
  return node.int === undefined ? undefined : int(node.int);
}
