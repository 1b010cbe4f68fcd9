import { cloneJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';

/** Schemas that set nothing anywhere below, so that whole branches are skipped. */
const barren = new WeakMap<JsonSchema, boolean>();

/**
 * Fills absent members that have a `default`, also inside what a default brought, in place (Kubernetes apiextensions
 * structural defaulting). A null where the schema has a default and is not nullable counts as absent.
 */
export function defaultBySchema(value: JsonValue, schema: JsonSchema): void {
  if (isBarren(schema)) return;
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) defaultBySchema(item, schema.items);
    return;
  }
  if (!isJsonObject(value)) return;
  defaultProperties(value, schema);
  if (typeof schema.additionalProperties !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (schema.properties === undefined || !Object.hasOwn(schema.properties, name)) {
      defaultBySchema(member, schema.additionalProperties);
    }
  }
}

function defaultProperties(value: JsonObject, schema: JsonSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const current = Object.hasOwn(value, name) ? value[name] : undefined;
    const absent = current === undefined || (current === null && property.nullable !== true);
    if (absent && property.default !== undefined) setOwn(value, name, cloneJson(property.default));
    const member = value[name];
    if (member !== undefined && Object.hasOwn(value, name)) defaultBySchema(member, property);
  }
}

function isBarren(schema: JsonSchema): boolean {
  const known = barren.get(schema);
  if (known !== undefined) return known;
  barren.set(schema, true);
  const members = Object.values(schema.properties ?? {});
  const { items, additionalProperties } = schema;
  const result =
    members.every((member) => member.default === undefined && isBarren(member)) &&
    (items === undefined || isBarren(items)) &&
    (typeof additionalProperties !== 'object' || isBarren(additionalProperties));
  barren.set(schema, result);
  return result;
}

/**
 * Takes out members that are null where the schema allows no null and has no default, in place (apiextensions
 * PruneNonNullableNullsWithoutDefaults): clients write null for nothing.
 */
export function pruneNulls(value: JsonValue, schema: JsonSchema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, schema.items);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = memberSchema(schema, name);
    if (member !== null) pruneNulls(member, inner);
    else if (inner !== undefined && inner.nullable !== true && (inner.default ?? null) === null) delete value[name];
  }
}
