import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Marker } from './markers';

interface Applied {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly problems: readonly string[];
}

const NUMBERS = ['minimum', 'maximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const OF_TYPE: { readonly [type: string]: readonly string[] } = {
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  multipleOf: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string', 'integer', 'number'],
  minItems: ['array'],
  maxItems: ['array'],
  minProperties: ['object'],
  maxProperties: ['object'],
};
const KNOWN = [
  ...NUMBERS,
  ...COUNTS,
  'required',
  'default',
  'description',
  'enum',
  'pattern',
  'format',
  'immutable',
  'validation',
];

/** A schema with the markers of a field in short form. */
export function applyMarkers(base: JsonSchema, markers: readonly Marker[]): Applied {
  const problems: string[] = [];
  let schema = base;
  let isRequired = false;
  const seen = new Set<string>();
  for (const marker of markers) {
    const { name, value } = marker;
    if (seen.has(name) && name !== 'validation') problems.push(`marker "${name}" is given twice`);
    seen.add(name);
    if (name === 'required') isRequired = value === 'true';
    else {
      const member = memberOf(schema, marker);
      if (typeof member === 'string') problems.push(member);
      else schema = { ...schema, ...member };
    }
  }
  if (isRequired && schema.default !== undefined)
    problems.push('a field with a default cannot be required: it always has a value');
  return { schema, isRequired, problems };
}

/** What a marker adds to the schema, or what is wrong with the marker. */
function memberOf(schema: JsonSchema, { name, value }: Marker): JsonSchema | string {
  const types = OF_TYPE[name];
  if (types !== undefined && !types.includes(schema.type ?? '')) {
    return `marker "${name}" is for ${types.join(' and ')}, and this field is ${schema.type ?? 'intOrString'}`;
  }
  if (NUMBERS.includes(name)) {
    const number = Number(value);
    return value.trim() === '' || !Number.isFinite(number)
      ? `"${name}" must be a number, not "${value}"`
      : { [name]: number };
  }
  if (COUNTS.includes(name)) {
    return /^\d{1,9}$/.test(value) ? { [name]: Number(value) } : `"${name}" must be a whole number, not "${value}"`;
  }
  switch (name) {
    case 'description':
    case 'pattern':
    case 'format':
      return { [name]: value };
    case 'default':
      return valueMember(schema, value, (read) => ({ default: read }));
    case 'enum':
      return enumOf(schema, value);
    case 'immutable':
      return value === 'true' ? withRule(schema, 'self == oldSelf', 'the field is immutable') : {};
    case 'validation':
      return withRule(schema, value);
    default:
      return `"${name}" is not a marker: use ${KNOWN.join(', ')}`;
  }
}

function withRule(schema: JsonSchema, rule: string, message?: string): JsonSchema {
  const rules = schema['x-kubernetes-validations'] ?? [];
  return { 'x-kubernetes-validations': [...rules, { rule, ...(message === undefined ? {} : { message }) }] };
}

function enumOf(schema: JsonSchema, value: string): JsonSchema | string {
  const read = value.split(',').map((member) => readScalar(schema, member.trim()));
  const wrong = read.find((each) => 'problem' in each);
  if (wrong !== undefined && 'problem' in wrong) return wrong.problem;
  return { enum: read.flatMap((each) => ('value' in each ? [each.value] : [])) };
}

function valueMember(schema: JsonSchema, text: string, member: (value: JsonValue) => JsonSchema): JsonSchema | string {
  const read = readScalar(schema, text);
  return 'problem' in read ? read.problem : member(read.value);
}

type Scalar = { readonly value: JsonValue } | { readonly problem: string };

/** A text as a value of the type: a string as it is, everything else as JSON. */
function readScalar({ type }: JsonSchema, text: string): Scalar {
  if (type === 'string') return { value: text };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return type === undefined ? { value: text } : { problem: `"${text}" is not a value of type ${type}` };
  }
}
