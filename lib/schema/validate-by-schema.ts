import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { notSupported, required, type SchemaFieldError } from './field-error';
import { type JsonSchema, memberSchema } from './json-schema';
import { validateLogic } from './validate-logic';
import { validateArraySize, validateNumber, validateObjectSize, validateString } from './validate-scalar';
import { validateType } from './validate-type';

/**
 * Everything wrong with a value by an OpenAPI v3 schema, in the words of kube-apiserver (kube-openapi
 * validate). Not here: CEL rules (lib/schema/cel), and that lists of sets and maps hold nothing twice (validate-list-sets).
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
  const validation = new Validation();
  validation.validate(value, schema, path, old);
  return validation.errors;
}

/** One walk over a value; `errors` is everything found so far. */
class Validation {
  readonly errors: SchemaFieldError[] = [];

  validate(value: JsonValue, schema: JsonSchema, path: string, old: JsonValue | undefined): void {
    const { errors } = this;
    if (old !== undefined && jsonEqual(value, old)) return;
    if (value === null) {
      if (schema.nullable !== true) errors.push(...validateType(null, schema, path));
      // Not even a null in the list lets one in.
      if (schema.enum !== undefined) errors.push(notSupported(path, null, schema.enum));
      return;
    }
    // Each check is made whether or not the ones before found something.
    errors.push(...validateType(value, schema, path));
    errors.push(...validateLogic(value, schema, path, validateBySchema));
    if (typeof value === 'string') errors.push(...validateString(value, schema, path));
    else if (typeof value === 'number') errors.push(...validateNumber(value, schema, path));
    else if (Array.isArray(value)) this.validateArray(value, schema, path, old);
    if (schema.enum !== undefined && !schema.enum.some((each) => jsonEqual(each, value))) {
      errors.push(notSupported(path, value, schema.enum));
    }
    if (isJsonObject(value)) this.validateObject(value, schema, path, old);
  }

  private validateArray(
    list: readonly JsonValue[],
    schema: JsonSchema,
    path: string,
    old: JsonValue | undefined,
  ): void {
    const { items } = schema;
    if (items !== undefined) {
      for (const [index, item] of list.entries()) {
        this.validate(item, items, `${path}[${index}]`, correlatedItem(item, schema, old));
      }
    }
    this.errors.push(...validateArraySize(list.length, schema, path));
  }

  private validateObject(value: JsonObject, schema: JsonSchema, path: string, old: JsonValue | undefined): void {
    this.errors.push(...validateObjectSize(Object.keys(value).length, schema, path));
    const missing = new Set(schema.required ?? []);
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      const ofMember = memberSchema(schema, name);
      // A null in a required field that may not be null counts as absent.
      if (member === null && missing.has(name) && ofMember?.nullable !== true) continue;
      missing.delete(name);
      if (ofMember === undefined) continue;
      this.validate(member, ofMember, memberPath(path, name), isJsonObject(old) ? old[name] : undefined);
    }
    for (const name of missing) this.errors.push(required(memberPath(path, name)));
  }
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
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
