import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { duplicate, invalid, notSupported, printed, required, type SchemaFieldError, typeInvalid } from './field-error';
import type { JsonSchema } from './json-schema';
import { validateLogic } from './validate-logic';
import { validateArraySize, validateNumber, validateObjectSize, validateString } from './validate-scalar';

/**
 * Everything wrong with a value by an OpenAPI v3 schema, in the words of kube-apiserver (kube-openapi validate,
 * apiextensions structural listtype). CEL rules are not run here (lib/schema/cel).
 *
 * @param path of the value for `field` and texts; empty for a whole object
 * @param old the value before an update: parts that did not change are not checked again (apiextensions ratcheting)
 */
export function validateBySchema(
  value: JsonValue,
  schema: JsonSchema,
  path = '',
  old: JsonValue | undefined = undefined,
): SchemaFieldError[] {
  const errors: SchemaFieldError[] = [];
  validate(value, schema, path, errors, old);
  return errors;
}

function validate(
  value: JsonValue,
  schema: JsonSchema,
  path: string,
  errors: SchemaFieldError[],
  old: JsonValue | undefined,
): void {
  if (old !== undefined && jsonEqual(value, old)) return;
  if (value === null && schema.nullable === true) {
    if (schema.enum !== undefined && !schema.enum.includes(null)) errors.push(notSupported(path, null, schema.enum));
    return;
  }
  const wrong = wrongType(value, schema);
  if (wrong !== undefined) {
    const found = typeName(value);
    errors.push(typeInvalid(path, found, `${path} in body must be of type ${wrong}: ${printed(found)}`));
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((each) => jsonEqual(each, value))) {
    errors.push(notSupported(path, value, schema.enum));
  }
  if (typeof value === 'string') errors.push(...validateString(value, schema, path));
  else if (typeof value === 'number') errors.push(...validateNumber(value, schema, path));
  else if (Array.isArray(value)) validateArray(value, schema, path, errors, old);
  else if (isJsonObject(value)) validateObject(value, schema, path, errors, old);
  errors.push(...validateLogic(value, schema, path, validateBySchema));
}

/** The type that was asked for, when the value has another. */
function wrongType(value: JsonValue, schema: JsonSchema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    const fits = typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
    return fits ? undefined : 'integer,string';
  }
  const wanted = schema.type;
  if (wanted === undefined || wanted === '') return undefined;
  const found = typeName(value);
  if (found === wanted || (wanted === 'number' && found === 'integer')) return undefined;
  return wanted;
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function validateArray(
  list: readonly JsonValue[],
  schema: JsonSchema,
  path: string,
  errors: SchemaFieldError[],
  old: JsonValue | undefined,
): void {
  errors.push(...validateArraySize(list.length, schema, path));
  const { items } = schema;
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      validate(item, items, `${path}[${index}]`, errors, correlatedItem(item, schema, old));
    }
  }
  errors.push(...validateUniqueness(list, schema, path));
}

/** Sets hold no value twice, maps no key twice. */
function validateUniqueness(list: readonly JsonValue[], schema: JsonSchema, path: string): SchemaFieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  const errors: SchemaFieldError[] = [];
  list.forEach((item, index) => {
    const identity = listType === 'set' ? item : keysOf(item, keys);
    const text = printed(identity);
    if (seen.has(text)) errors.push(duplicate(`${path}[${index}]`, identity));
    seen.add(text);
  });
  return errors;
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) if (isJsonObject(item) && item[key] !== undefined) found[key] = item[key];
  return found;
}

/** The element of the old list with the same keys; only lists of type map tell which one that is. */
export function correlatedItem(item: JsonValue, schema: JsonSchema, old: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return old.find((other) => jsonEqual(keysOf(other, keys), keysOf(item, keys)));
}

function validateObject(
  value: JsonObject,
  schema: JsonSchema,
  path: string,
  errors: SchemaFieldError[],
  old: JsonValue | undefined,
): void {
  errors.push(...validateObjectSize(Object.keys(value).length, schema, path));
  const missing = new Set(schema.required ?? []);
  for (const name of Object.keys(value)) {
    const member = value[name] ?? null;
    const property =
      schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const memberSchema =
      property ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    const memberPath = path === '' ? name : `${path}.${name}`;
    // A null in a required field that may not be null counts as absent.
    if (member === null && missing.has(name) && memberSchema?.nullable !== true) continue;
    missing.delete(name);
    if (memberSchema !== undefined)
      validate(member, memberSchema, memberPath, errors, isJsonObject(old) ? old[name] : undefined);
  }
  for (const name of missing) errors.push(required(path === '' ? name : `${path}.${name}`));
  if (schema['x-kubernetes-embedded-resource'] === true) validateEmbedded(value, path, errors);
}

function validateEmbedded(value: JsonObject, path: string, errors: SchemaFieldError[]): void {
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') errors.push(required(`${path}.apiVersion`));
  else if (apiVersion.split('/').length > 2) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (typeof kind !== 'string' || kind === '') errors.push(required(`${path}.kind`));
}
