import { parseFloat64, parseInt64, parseUint } from '../format/parse-number';
import { quote } from '../format/quote';
import type { NumberNode } from './nodes';
import type { TemplateToken } from './token';
import { unquoteCharacter } from './unquote';

/** A number literal, or Go's error message (text/template/parse newNumber). */
export function parseNumber(token: TemplateToken): NumberNode | string {
  const start = { kind: 'number', at: token.at, text: token.text, complex: undefined } as const;
  if (token.kind === 'charConstant') {
    const character = unquoteCharacter(token.text, 1, "'");
    if (character === undefined) return 'invalid syntax';
    if (token.text.slice(character.end) !== "'") return `malformed character constant: ${token.text}`;
    const code = BigInt(character.rune);
    return { ...start, int: code, uint: code, float: character.rune };
  }
  if (token.kind === 'complex') return parseComplex(token);
  if (token.text.endsWith('i')) {
    const imaginary = parseFloat64(token.text.slice(0, -1));
    if (imaginary.error === undefined) return complexNode(token, 0, imaginary.value);
  }
  return parseReal(token);
}

function parseReal(token: TemplateToken): NumberNode | string {
  const { text } = token;
  const unsigned = parseUint(text, 0);
  const signed = parseInt64(text, 0);
  const int = signed.error === undefined ? signed.value : undefined;
  const uint = int === 0n ? 0n : unsigned.error === undefined ? unsigned.value : undefined;
  const integer = int ?? uint;
  if (integer === undefined) return parseFloating(token);
  return { kind: 'number', at: token.at, text, int, uint, float: Number(integer), complex: undefined };
}

/** A whole float is an integer too where it fits. */
function parseFloating({ at, text }: TemplateToken): NumberNode | string {
  const { value: float, error } = parseFloat64(text);
  if (error !== undefined) return `illegal number syntax: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  const isWhole = Number.isInteger(float);
  const int = isWhole && Math.abs(float) < 2 ** 63 ? BigInt(float) : undefined;
  const uint = isWhole && float >= 0 && float < 2 ** 64 ? BigInt(float) : undefined;
  return { kind: 'number', at, text, int, uint, float, complex: undefined };
}

function parseComplex(token: TemplateToken): NumberNode | string {
  const split = /^(.*[^eEpP+-])([+-].*)i$/.exec(token.text);
  const real = parseFloat64(split?.[1] ?? '');
  const imaginary = parseFloat64(split?.[2] ?? '');
  if (real.error !== undefined || imaginary.error !== undefined) return `syntax error scanning complex number`;
  return complexNode(token, real.value, imaginary.value);
}

function complexNode(token: TemplateToken, real: number, imaginary: number): NumberNode {
  const isReal = imaginary === 0;
  const whole = isReal && Number.isInteger(real) && Math.abs(real) < 2 ** 63;
  return {
    kind: 'number',
    at: token.at,
    text: token.text,
    int: whole ? BigInt(real) : undefined,
    uint: whole && real >= 0 ? BigInt(real) : undefined,
    float: isReal ? real : undefined,
    complex: { real, imaginary },
  };
}
