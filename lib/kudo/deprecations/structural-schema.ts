import { arrayAt, getAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';

const KEEPS_UNKNOWN = 'x-kubernetes-preserve-unknown-fields';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const LIST_TYPE = 'x-kubernetes-list-type';
const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;

/** Fields that a structural schema must not have. */
const UNKNOWN_KEYS = ['$schema', '$ref', 'id', 'definitions', 'dependencies', 'patternProperties', 'additionalItems'];

/** Fields that describe the shape of a value; v1 forbids them inside allOf, anyOf, oneOf and not. */
const SHAPE = new Set(['type', 'title', 'description', 'default', 'additionalProperties', 'nullable', 'example']);

/** The position of a schema, and whether unknown fields are kept (v1beta1 kept them by default). */
export interface SchemaPlace {
  readonly isRoot: boolean;
  readonly keepsUnknown: boolean;
}

/**
 * Makes a schema of v1beta1 structural, in place (Kubernetes "Specifying a structural schema"): every position gets a
 * type, alternatives of a number and a string become int-or-string, and alternatives that describe shapes, which v1
 * refuses, are left out: a valid value stays valid.
 */
export function structuralSchema(schema: JsonObject, place: SchemaPlace): JsonObject {
  for (const key of UNKNOWN_KEYS) delete schema[key];
  if (schema.uniqueItems === true) delete schema.uniqueItems;
  dropShapes(schema);
  dropUncertainKeys(schema);
  if (!hasType(schema)) giveType(schema, place.isRoot);
  const below: SchemaPlace = { isRoot: false, keepsUnknown: place.keepsUnknown };
  const { properties } = schema;
  if (place.keepsUnknown && (place.isRoot || properties !== undefined)) schema[KEEPS_UNKNOWN] = true;
  if (isJsonObject(properties)) {
    for (const [name, member] of Object.entries(properties)) {
      if (!isJsonObject(member)) continue;
      const isMetadata = place.isRoot && name === 'metadata';
      properties[name] = isMetadata ? { type: 'object' } : structuralSchema(member, below);
    }
  }
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  if (Array.isArray(schema.items)) schema.items = { [KEEPS_UNKNOWN]: true };
  if (isJsonObject(items)) structuralSchema(items, below);
  if (isJsonObject(schema.additionalProperties)) structuralSchema(schema.additionalProperties, below);
  return schema;
}

/** Keys of a list's members must be required or have a default in v1; a list whose members may lack them is plain. */
function dropUncertainKeys(schema: JsonObject): void {
  const keys = arrayAt(schema, LIST_KEYS);
  const items = isJsonObject(schema.items) ? schema.items : {};
  const isSure = (key: JsonValue) =>
    arrayAt(items, 'required').includes(key) || getAt(items, 'properties', String(key), 'default') !== undefined;
  if (keys.every(isSure)) return;
  delete schema[LIST_KEYS];
  delete schema[LIST_TYPE];
}

function hasType(schema: JsonObject): boolean {
  return (typeof schema.type === 'string' && schema.type !== '') || schema[INT_OR_STRING] === true;
}

function giveType(schema: JsonObject, isRoot: boolean): void {
  delete schema.type;
  const isMap = isRoot || schema.properties !== undefined || schema.additionalProperties !== undefined;
  if (isMap) schema.type = 'object';
  else if (schema.items !== undefined) schema.type = 'array';
  else schema[KEEPS_UNKNOWN] = true;
}

/** Alternatives that v1 refuses: their type moves to the position itself, the rest is left out. */
function dropShapes(schema: JsonObject): void {
  for (const key of ALTERNATIVES) {
    const parts = arrayAt(schema, key).filter(isJsonObject);
    if (parts.length === 0 || parts.every((part) => judgesOnly(part, schema))) continue;
    const types = new Set(parts.map(({ type }) => type));
    delete schema[key];
    if (hasType(schema)) continue;
    const [only] = types;
    if (types.size === 1 && typeof only === 'string' && only !== 'object' && only !== 'array') schema.type = only;
    else if (isNumberOrText(types)) schema[INT_OR_STRING] = true;
  }
  if (isJsonObject(schema.not) && !judgesOnly(schema.not, schema)) delete schema.not;
}

function isNumberOrText(types: ReadonlySet<JsonValue | undefined>): boolean {
  return types.size === 2 && types.has('string') && types.has('integer');
}

/** True for a part that describes no shapes, and names only positions that the schema itself has. */
function judgesOnly(part: JsonObject, outside: JsonObject): boolean {
  if (Object.keys(part).some((key) => SHAPE.has(key) || key.startsWith('x-kubernetes-'))) return false;
  const inner = [...ALTERNATIVES.flatMap((key) => arrayAt(part, key)), part.not].filter(isJsonObject);
  if (inner.some((each) => !judgesOnly(each, outside))) return false;
  const known = outside.properties;
  const members = isJsonObject(part.properties) ? Object.entries(part.properties) : [];
  if (part.items !== undefined && !judgesPlace(part.items, outside.items)) return false;
  return members.every(([name, member]) => judgesPlace(member, isJsonObject(known) ? known[name] : undefined));
}

function judgesPlace(part: JsonValue | undefined, outside: JsonValue | undefined): boolean {
  return isJsonObject(part) && isJsonObject(outside) && judgesOnly(part, outside);
}
