import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listTypeOf,
  mapTypeOf,
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

let made = 0;

/** The type of a node; undefined for one without a type, which expressions cannot see. */
export function declaredType(schema: JsonSchema, isRoot = false): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return scalar(schema, DYN);
  switch (isRoot ? 'object' : schema.type) {
    case 'array':
      return containerType(schema, schema.items, listTypeOf);
    case 'object':
      return typeof schema.additionalProperties === 'object' && !isRoot
        ? containerType(schema, schema.additionalProperties, (inner) => mapTypeOf(STRING, inner))
        : objectType(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    case 'string':
      return scalar(schema, FORMATS.get(schema.format ?? '') ?? STRING);
    case 'boolean':
      return scalar(schema, BOOL);
    case 'number':
      return scalar(schema, DOUBLE);
    case 'integer':
      return scalar(schema, INT);
    default:
      return undefined;
  }
}

function scalar(schema: JsonSchema, type: CelType): DeclaredType {
  return { type, schema, inner: undefined, fields: undefined };
}

/** What a text of a format is; of other formats it is a string. */
const FORMATS = new Map([
  ['byte', BYTES],
  ['duration', DURATION],
  ['date', TIMESTAMP],
  ['date-time', TIMESTAMP],
]);

/** A list or map; undefined when nothing can be said of what it holds. */
function containerType(
  schema: JsonSchema,
  members: JsonSchema | undefined,
  make: (inner: CelType) => CelType,
): DeclaredType | undefined {
  const inner = members === undefined ? undefined : declaredType(members);
  return inner && { type: make(inner.type), schema, inner, fields: undefined };
}

const TEXT: JsonSchema = { type: 'string' };
const RESOURCE: { readonly [name: string]: JsonSchema } = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
};

function objectType(schema: JsonSchema, isResource: boolean): DeclaredType {
  const fields = new Map<string, DeclaredField>();
  const properties = isResource ? { ...schema.properties, ...RESOURCE } : (schema.properties ?? {});
  for (const [name, property] of Object.entries(properties)) {
    const declared = declaredType(property);
    if (declared === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, { name, declared });
  }
  const types = new Map([...fields].map(([name, { declared }]) => [name, declared.type] as const));
  const type = structType(`selfType${made++}`, types);
  return { type, schema, inner: undefined, fields };
}
