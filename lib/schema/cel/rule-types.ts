import type { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { isDateTime } from '../formats';
import type { JsonSchema } from '../json-schema';
import { escapeName } from './escape-names';
import { celEqual } from './libraries';

/**
 * The CEL type of a schema node. Objects with properties become types of their own, so that a field that the schema
 * lacks is found when the rule is checked; their values keep plain shape.
 */
export class TypeRegistry {
  private made = 0;
  private readonly env: Environment;

  constructor(env: Environment) {
    this.env = env;
  }

  /** The name of the type of a schema, registering object types on the way. */
  nameOf(schema: JsonSchema, isResource = false): string {
    if (schema['x-kubernetes-int-or-string'] === true) return 'dyn';
    switch (schema.type) {
      case 'integer':
        return 'int';
      case 'number':
        return 'double';
      case 'boolean':
        return 'bool';
      case 'string':
        return stringType(schema.format);
      case 'array':
        return schema.items === undefined ? 'list<dyn>' : `list<${this.nameOf(schema.items)}>`;
      case 'object':
        return this.objectType(schema, isResource || schema['x-kubernetes-embedded-resource'] === true);
      default:
        return 'dyn';
    }
  }

  private objectType(schema: JsonSchema, isResource: boolean): string {
    if (typeof schema.additionalProperties === 'object') {
      const inner = this.nameOf(schema.additionalProperties);
      return `map<string, ${SCALARS.has(inner) ? inner : 'dyn'}>`;
    }
    if (schema.properties === undefined && !isResource) {
      return schema['x-kubernetes-preserve-unknown-fields'] === true ? 'dyn' : this.register({});
    }
    const fields: { [name: string]: string } = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const escaped = escapeName(name);
      if (escaped !== undefined) fields[escaped] = property.nullable === true ? 'dyn' : this.nameOf(property);
    }
    if (isResource) {
      Object.assign(fields, { apiVersion: 'string', kind: 'string' });
      fields.metadata = this.register({ name: 'string', generateName: 'string' });
    }
    return this.register(fields);
  }

  private register(fields: { [name: string]: string }): string {
    const name = `schema.Object${this.made++}`;
    this.env.registerType(name, { fields });
    this.env.registerOperator(`${name} == ${name}`, celEqual);
    return name;
  }
}

const SCALARS = new Set(['int', 'double', 'bool', 'string', 'dyn']);

function stringType(format: string | undefined): string {
  if (format === 'date-time' || format === 'date') return 'google.protobuf.Timestamp';
  if (format === 'duration') return 'google.protobuf.Duration';
  return format === 'byte' ? 'bytes' : 'string';
}

/** Makes the duration of a text such as `5m`; a value of CEL's own class. */
export type DurationMaker = (text: string) => unknown;

/** A JSON value as CEL takes it: integers as bigint, times as dates, names of members escaped. */
export function toCel(value: JsonValue | undefined, schema: JsonSchema | undefined, duration: DurationMaker): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value;
  if (typeof value === 'string') return textToCel(value, schema, duration);
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema?.items, duration));
  if (!isJsonObject(value)) return value;
  const result: { [name: string]: unknown } = {};
  const isMap = typeof schema?.additionalProperties === 'object';
  for (const [name, member] of Object.entries(value)) {
    const key = isMap ? name : escapeName(name);
    const inner = isMap ? (schema.additionalProperties as JsonSchema) : schema?.properties?.[name];
    if (key !== undefined && key !== '__proto__') result[key] = toCel(member, inner, duration);
  }
  return result;
}

function textToCel(value: string, schema: JsonSchema | undefined, duration: DurationMaker): unknown {
  switch (schema?.format) {
    case 'date-time':
      return isDateTime(value) ? duration(`@${value}`) : value;
    case 'date':
      return duration(`@${value}T00:00:00Z`);
    case 'duration':
      return duration(value);
    case 'byte':
      return new TextEncoder().encode(atob(value));
    default:
      return value;
  }
}
