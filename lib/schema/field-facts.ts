import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema, ValidationRule } from './json-schema';

/** What a schema says of a field beside its type and description, each with its words. */
export function fieldFacts(schema: JsonSchema): (readonly [name: string, text: string])[] {
  const facts: (readonly [string, string | undefined])[] = [
    ['Default', schema.default === undefined ? undefined : JSON.stringify(schema.default)],
    ['One of', schema.enum?.map(plain).join(', ')],
    ['Format', schema.format],
    ['Value', range(schema.minimum, schema.maximum, schema)],
    ['Multiple of', schema.multipleOf === undefined ? undefined : String(schema.multipleOf)],
    ['Length', range(schema.minLength, schema.maxLength)],
    ['Pattern', schema.pattern],
    ['Items', itemsWords(schema)],
    ['Members', range(schema.minProperties, schema.maxProperties)],
    ['Null', schema.nullable === true ? 'allowed' : undefined],
    ['Unknown fields', schema['x-kubernetes-preserve-unknown-fields'] === true ? 'kept' : undefined],
    ['Alternatives', alternatives(schema)],
  ];
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

/** A rule in CEL, and what the API server answers when it is broken. */
export interface RuleWords {
  readonly rule: string;
  readonly message: string;
  /** Whom the rule is about: the field, or each of its items or values. */
  readonly of: 'field' | 'item';
}

/** The rules of a field, and of the items of a list or the values of a map. */
export function fieldRules(schema: JsonSchema): RuleWords[] {
  const inner =
    schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  const words = (of: RuleWords['of']) => (rule: ValidationRule) => ({
    rule: rule.rule,
    message: rule.message ?? rule.messageExpression ?? `failed rule: ${rule.rule}`,
    of,
  });
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(words('field')),
    ...(inner?.['x-kubernetes-validations'] ?? []).map(words('item')),
  ];
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value || '""' : JSON.stringify(value);
}

function range(
  low: number | undefined,
  high: number | undefined,
  { exclusiveMinimum, exclusiveMaximum }: Pick<JsonSchema, 'exclusiveMinimum' | 'exclusiveMaximum'> = {},
): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  const from = low === undefined ? '' : exclusiveMinimum === true ? `more than ${low}` : `at least ${low}`;
  const to = high === undefined ? '' : exclusiveMaximum === true ? `less than ${high}` : `at most ${high}`;
  return [from, to].filter(Boolean).join(', ');
}

function itemsWords(schema: JsonSchema): string {
  const keys = schema['x-kubernetes-list-map-keys'];
  const isSet = schema['x-kubernetes-list-type'] === 'set' || schema.uniqueItems === true;
  return [
    range(schema.minItems, schema.maxItems),
    isSet ? 'each value once' : undefined,
    keys === undefined ? undefined : `each ${keys.join(' and ')} once`,
  ]
    .filter(Boolean)
    .join(', ');
}

function alternatives({ oneOf, anyOf }: JsonSchema): string | undefined {
  const named = [...(oneOf ?? []), ...(anyOf ?? [])].flatMap(({ required }) => required?.join(' with ') ?? []);
  if (named.length === 0) return undefined;
  return `${oneOf === undefined ? 'at least one' : 'exactly one'} of ${[...new Set(named)].join(', ')}`;
}
