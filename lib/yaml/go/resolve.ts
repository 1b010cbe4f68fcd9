import { decodeBase64 } from '@/lib/template/encoding/base64';
import { parseFloat64, parseInt64, parseUint } from '@/lib/template/format/parse-number';
import { toLooseText } from '@/lib/template/value/bytes';
import { isTimestamp } from '@/lib/template/yaml/scalar';
import { GoYamlError } from './cursor';
import type { ScalarNode } from './nodes';

/** The value of a scalar: integers are bigints, since they may not fit into 53 bits. */
export type Scalar = string | number | bigint | boolean | null;

const CORE = 'tag:yaml.org,2002:';
type Kind = 'str' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';
const KINDS: ReadonlySet<string> = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...words('y Y yes Yes YES true True TRUE on On ON', true),
  ...words('n N no No NO false False FALSE off Off OFF', false),
  ...words('~ null Null NULL', null),
  ['', null],
  ...words('.nan .NaN .NAN', Number.NaN),
  ...words('.inf .Inf .INF +.inf +.Inf +.INF', Number.POSITIVE_INFINITY),
  ...words('-.inf -.Inf -.INF', Number.NEGATIVE_INFINITY),
]);

function words(texts: string, value: Scalar): [string, Scalar][] {
  return texts.split(' ').map((text) => [text, value]);
}

/**
 * The value of a scalar (go-yaml v2 resolve.go): by its tag, and for plain scalars by their form.
 * @throws GoYamlError for text that does not match its tag
 */
export function resolveScalar(node: ScalarNode): Scalar {
  const { text, tag } = node;
  if (tag === '') return node.isPlain ? resolvePlain(text, true) : text;
  if (tag === `${CORE}binary`) return decodeBinary(node);
  const kind = tag.startsWith(CORE) ? tag.slice(CORE.length) : '';
  if (!KINDS.has(kind) || kind === 'str') return text;
  const value = resolvePlain(text, kind === 'timestamp');
  const found = kindOf(value, text, kind === 'timestamp');
  if (found === kind) return value;
  // An unsigned integer is not converted to a float.
  if (kind === 'float' && typeof value === 'bigint' && value < 2n ** 63n) return Number(value);
  throw problem(node, `cannot decode !!${found} \`${text}\` as a !!${kind}`);
}

function kindOf(value: Scalar, text: string, mayBeTime: boolean): Kind {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  return mayBeTime && isTimestamp(text) ? 'timestamp' : 'str';
}

/** The first character decides what a text can be at all. */
function resolvePlain(text: string, mayBeTime: boolean): Scalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e) {
    const float = parseFloat64(text);
    return float.error === undefined ? float.value : text;
  }
  const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  if (!isNumeric || (mayBeTime && isTimestamp(text))) return text;
  return resolveNumber(text.replaceAll('_', '')) ?? text;
}

const SMALL = /^(?:0|-?[1-9][0-9]{0,14})$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BINARY = /^(-?)0b([-+]?[01]+)$/;

function resolveNumber(text: string): bigint | number | undefined {
  if (SMALL.test(text)) return BigInt(text);
  const signed = parseInt64(text, 0);
  if (signed.error === undefined) return signed.value;
  const unsigned = parseUint(text, 0);
  if (unsigned.error === undefined) return unsigned.value;
  if (FLOAT.test(text)) {
    const float = parseFloat64(text);
    if (float.error === undefined) return float.value;
  }
  const [, sign = '', digits] = BINARY.exec(text) ?? [];
  // `0b-1` is read as -1, `-0b-1` not at all.
  if (digits === undefined || (sign === '-' && /^[-+]/.test(digits))) return undefined;
  const value = BigInt(`0b${digits.replace(/^[-+]/, '')}`);
  return digits.startsWith('-') || sign === '-' ? -value : value;
}

function decodeBinary(node: ScalarNode): string {
  const text = node.text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw problem(node, '!!binary value contains invalid base64 data');
  }
  return toLooseText(decodeBase64(text));
}

function problem(node: ScalarNode, message: string): GoYamlError {
  return new GoYamlError(message, { index: 0, line: node.line, column: 0 }, 0);
}
