import { formatRfc3339 } from '../dates/format';
import type { TemplateBudget } from '../exec/budget';
import { formatGoFloat } from '../format/float';
import { GoError } from '../template-error';
import { decodeRune, toLooseText } from '../value/bytes';
import { valueFromJson } from '../value/from-json';
import { SemverVersion } from '../value/semver-version';
import { GoTime } from '../value/time';
import { GoComplex, GoInt, GoMap, GoSlice, type Value } from '../value/value';
import { encodeBase64 } from './base64';
import { jsonProblem } from './json-problem';

/** `escaped`: `<`, `>` and `&` as escapes (json.Marshal); `pretty`: that, indented by two; `raw`: without escapes. */
export type JsonStyle = 'escaped' | 'pretty' | 'raw';

/** Go's encoding/json. @throws GoError for what JSON cannot say (NaN, infinities) */
export function encodeJson(value: Value, style: JsonStyle, budget: TemplateBudget): string {
  return encode(value, { style, budget, level: 0 });
}

interface Place {
  readonly style: JsonStyle;
  readonly budget: TemplateBudget;
  readonly level: number;
}

function encode(value: Value, place: Place): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return encodeText(value, place.style !== 'raw');
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return encodeNumber(value);
  place.budget.nest(place.level);
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoComplex) throw new GoError('json: unsupported type: complex128');
  if (value instanceof GoSlice) return encodeSlice(value, place);
  if (value instanceof GoMap) {
    if (value.isNil) return 'null';
    return encodeMembers(
      value.keys().map((key) => [key, value.get(key)]),
      place,
    );
  }
  if (value instanceof GoTime) return `"${timeText(value)}"`;
  if (value instanceof SemverVersion) return encodeText(value.canonical(), place.style !== 'raw');
  return encodeMembers(
    value.fields().filter(([name]) => /^[A-Z]/.test(name)),
    place,
  );
}

function encodeSlice(value: GoSlice, place: Place): string {
  if (value.isNil) return 'null';
  if (value.type.elem?.kind === 'uint8') {
    const codes = value.items.map((item) => (item instanceof GoInt ? Number(item.value) : 0));
    return `"${encodeBase64(String.fromCharCode(...codes))}"`;
  }
  const inner = { ...place, level: place.level + 1 };
  return bracket(
    '[]',
    value.items.map((item) => encode(item, inner)),
    place,
  );
}

function encodeMembers(members: readonly (readonly [string, Value])[], place: Place): string {
  const inner = { ...place, level: place.level + 1 };
  const colon = place.style === 'pretty' ? ': ' : ':';
  const parts = members.map(
    ([name, member]) => encodeText(name, place.style !== 'raw') + colon + encode(member, inner),
  );
  return bracket('{}', parts, place);
}

function bracket(marks: '[]' | '{}', parts: readonly string[], place: Place): string {
  const [open = '', close = ''] = marks;
  const total = parts.reduce((sum, part) => sum + part.length + 2, 0);
  if (total > 1024) place.budget.allocate(total);
  if (place.style !== 'pretty' || parts.length === 0) return open + parts.join(',') + close;
  const indent = '  '.repeat(place.level);
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new GoError(`json: unsupported value: ${formatGoFloat(value, 'g', -1)}`);
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-6 && magnitude < 1e21)) return formatGoFloat(value, 'f', -1);
  return formatGoFloat(value, 'e', -1).replace(/e-0([0-9])$/, 'e-$1');
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
const PLAIN = /^[ !#-%'-;=?-[\]-~\x7f]*$/;

function encodeText(bytes: string, escapesHtml: boolean): string {
  if (PLAIN.test(bytes)) return `"${bytes}"`;
  let result = '"';
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = decodeRune(bytes, at);
    const raw = bytes.slice(at, at + width);
    const isHtml = escapesHtml && (raw === '<' || raw === '>' || raw === '&');
    const isInvalid = rune === 0xfffd && width === 1;
    const short = SHORT.get(raw);
    if (short !== undefined) result += short;
    else if (isInvalid || isHtml || rune < 32 || rune === 0x2028 || rune === 0x2029) {
      result += `\\u${rune.toString(16).padStart(4, '0')}`;
    } else result += raw;
    at += width;
  }
  return `${result}"`;
}

/** json.Unmarshal into an `interface{}`: numbers are float64. @throws GoError with Go's message */
export function parseGoJson(bytes: string, budget: TemplateBudget): Value {
  const text = toLooseText(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new GoError(jsonProblem(bytes));
  }
  budget.allocate(bytes.length);
  checkJson(parsed, budget, 0, text);
  return valueFromJson(parsed);
}

function timeText(time: GoTime): string {
  const text = formatRfc3339(time);
  if (!/^[0-9]{4}-/.test(text)) {
    throw new GoError(
      'json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]',
    );
  }
  return text;
}

/** JavaScript reads 1e999 as infinity where Go fails. */
function checkJson(value: unknown, budget: TemplateBudget, level: number, text: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const words = text.match(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g) ?? [];
    const written = words.find((word) => !word.startsWith('"') && !Number.isFinite(Number(word))) ?? '';
    throw new GoError(`json: cannot unmarshal number ${written} into Go value of type float64`);
  }
  if (typeof value !== 'object' || value === null) return;
  budget.nest(level);
  for (const member of Object.values(value)) checkJson(member, budget, level + 1, text);
}
