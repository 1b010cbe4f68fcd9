import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  structType,
  TIMESTAMP,
} from '@/lib/cel/cel-type';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { escapeName } from './escape-names';

/** What a schema node is in CEL (apiserver cel/common SchemaDeclType). */
export interface DeclaredType {
  readonly type: CelType;
  readonly schema: JsonSchema;
  /** How many characters, items or members a value may have at most. */
  readonly most: number;
  /** Bytes that the smallest value takes as JSON. */
  readonly least: number;
  /** Of items, or of the members of a map. */
  readonly inner: DeclaredType | undefined;
  /** Of an object, by the name that expressions use. */
  readonly fields: ReadonlyMap<string, DeclaredField> | undefined;
}

export interface DeclaredField {
  /** The name in JSON. */
  readonly name: string;
  readonly declared: DeclaredType;
}

/** The largest request that the API server takes. */
export const REQUEST_BYTES = 3 * 1024 * 1024;
const UNBOUNDED_TEXT = REQUEST_BYTES - 2;

let made = 0;

/** The type of a node; undefined for one without a type, which expressions cannot see. */
export function declaredType(schema: JsonSchema, isRoot = false): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return scalar(schema, DYN, 1, textLimit(schema));
  switch (isRoot ? 'object' : schema.type) {
    case 'array':
      return listType(schema);
    case 'object':
      return typeof schema.additionalProperties === 'object' && !isRoot
        ? mapType(schema, schema.additionalProperties)
        : objectType(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    case 'string':
      return textType(schema);
    case 'boolean':
      return scalar(schema, BOOL, 4, 0);
    case 'number':
      return scalar(schema, DOUBLE, 1, 0);
    case 'integer':
      return scalar(schema, INT, 1, 0);
    default:
      return undefined;
  }
}

function scalar(schema: JsonSchema, type: CelType, least: number, most: number): DeclaredType {
  return { type, schema, most, least, inner: undefined, fields: undefined };
}

function textType(schema: JsonSchema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar(schema, BYTES, 2, schema.maxLength ?? UNBOUNDED_TEXT);
    case 'duration':
      return scalar(schema, DURATION, 3, 32);
    case 'date':
      return scalar(schema, TIMESTAMP, 12, 12);
    case 'date-time':
      return scalar(schema, TIMESTAMP, 21, 32);
    default:
      return scalar(schema, STRING, 2, textLimit(schema));
  }
}

/** Four bytes a character, or the longest of the values that are listed. */
function textLimit({ maxLength, enum: values }: JsonSchema): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4;
  if (values === undefined || values.length === 0) return UNBOUNDED_TEXT;
  const bytes = (value: unknown) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0);
  return values.reduce((longest: number, value) => Math.max(longest, bytes(value)), 0);
}

function listType(schema: JsonSchema): DeclaredType | undefined {
  const inner = schema.items === undefined ? undefined : declaredType(schema.items);
  if (inner === undefined) return undefined;
  const most = Math.max(0, schema.maxItems ?? Math.floor((REQUEST_BYTES - 2) / (inner.least + 1)));
  return { type: listOf(inner.type), schema, most, least: 2, inner, fields: undefined };
}

function mapType(schema: JsonSchema, values: JsonSchema): DeclaredType | undefined {
  const inner = declaredType(values);
  if (inner === undefined) return undefined;
  const most = Math.max(0, schema.maxProperties ?? Math.floor((REQUEST_BYTES - 2) / (inner.least + 6)));
  return { type: mapOf(STRING, inner.type), schema, most, least: 2, inner, fields: undefined };
}

const TEXT: JsonSchema = { type: 'string' };
const RESOURCE: { readonly [name: string]: JsonSchema } = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
};

function objectType(schema: JsonSchema, isResource: boolean): DeclaredType {
  const fields = new Map<string, DeclaredField>();
  const required = new Set(schema.required ?? []);
  let least = 2;
  const properties = isResource ? { ...schema.properties, ...RESOURCE } : (schema.properties ?? {});
  for (const [name, property] of Object.entries(properties)) {
    const declared = declaredType(property);
    if (declared === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, { name, declared });
    if (required.has(name) && property.default === undefined) {
      least += new TextEncoder().encode(name).length + declared.least + 4;
    }
  }
  const types = new Map([...fields].map(([name, { declared }]) => [name, declared.type] as const));
  const type = structType(`selfType${made++}`, types);
  return { type, schema, most: 0, least, inner: undefined, fields };
}
