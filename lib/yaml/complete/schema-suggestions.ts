import { type Suggestion, suggestValue, type TextSchema } from './suggestion';
import type { YamlPlace } from './yaml-place';

/** Values that a schema names by other means than `enum`; undefined where it names none. */
export type OwnValues = (schema: TextSchema) => readonly Suggestion[] | undefined;

const NO_OWN_VALUES: OwnValues = () => undefined;

/** A field of a map by its name, or the items of a list for `[]`. */
export function memberAt<S extends TextSchema>(schema: S | undefined, part: string): S | undefined {
  if (schema === undefined) return undefined;
  if (part === '[]') return schema.items as S | undefined;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, part)) return properties[part] as S | undefined;
  return typeof additionalProperties === 'object' ? (additionalProperties as S) : undefined;
}

/** Keys and values that may be written at a place whose map or list has that schema. */
export function schemaSuggestions(
  place: YamlPlace,
  schema: TextSchema,
  ownValues: OwnValues = NO_OWN_VALUES,
): readonly Suggestion[] {
  if (place.role === 'value') return valuesOf(memberAt(schema, place.key), ownValues);
  const keys = keysOf(schema, place);
  return place.role === 'item' ? [...valuesOf(schema, ownValues), ...keys] : keys;
}

function keysOf({ properties = {}, required = [] }: TextSchema, { siblings }: YamlPlace): Suggestion[] {
  return Object.entries(properties)
    .filter(([name]) => !siblings.has(name))
    .map(([name, member]) => ({
      label: name,
      kind: 'key' as const,
      detail: `${typeOf(member)}${required.includes(name) ? ', required' : ''}`,
      description: member.description ?? '',
      apply: `${name}:${isScalar(member) ? ' ' : ''}`,
    }));
}

function valuesOf(schema: TextSchema | undefined, ownValues: OwnValues): readonly Suggestion[] {
  if (schema === undefined) return [];
  // `key: [a, b]`: what is written is an item.
  const wanted = schema.type === 'array' ? schema.items : schema;
  const own = wanted === undefined ? undefined : ownValues(wanted);
  if (own !== undefined) return own;
  if (wanted?.enum !== undefined) return wanted.enum.map((each) => suggestValue(String(each)));
  return wanted?.type === 'boolean' ? [suggestValue('true'), suggestValue('false')] : [];
}

function typeOf({ type, items }: TextSchema): string {
  return type === 'array' ? `list of ${items?.type ?? 'values'}` : (type ?? 'any');
}

function isScalar({ type, properties, items }: TextSchema): boolean {
  return type !== 'object' && type !== 'array' && properties === undefined && items === undefined;
}
