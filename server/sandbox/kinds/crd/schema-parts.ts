import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { CheckedField } from '../base/checked-field';
import type { FieldError } from '../base/strategy';

/** A schema within a definition, with the place of its faults. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly field: CheckedField;
}

export function nodeOf(schema: JsonSchema, faults: FieldError[], path: string): SchemaNode {
  return { schema, field: new CheckedField(faults, schema as JsonObject, path) };
}

/** The schemas right below this one that shape values: items, properties and the members of maps. */
export function shapingParts({ schema, field: { faults, path } }: SchemaNode): SchemaNode[] {
  const { items, additionalProperties, properties = {} } = schema;
  return [
    ...(isJsonObject(items) ? [nodeOf(items as JsonSchema, faults, `${path}.items`)] : []),
    ...Object.entries(properties).map(([name, each]) => nodeOf(each, faults, `${path}.properties[${name}]`)),
    ...(isJsonObject(additionalProperties)
      ? [nodeOf(additionalProperties as JsonSchema, faults, `${path}.additionalProperties`)]
      : []),
  ];
}

/** Every schema right below this one. */
export function allParts(node: SchemaNode): SchemaNode[] {
  const { schema } = node;
  const { faults, path } = node.field;
  const logical = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) =>
    (schema[key] ?? []).map((part, index) => nodeOf(part, faults, `${path}.${key}[${index}]`)),
  );
  const negated = schema.not === undefined ? [] : [nodeOf(schema.not, faults, `${path}.not`)];
  return [...shapingParts(node), ...logical, ...negated];
}
