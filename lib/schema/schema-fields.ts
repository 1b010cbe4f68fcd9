import type { JsonSchema } from './json-schema';

/** A field of a schema, with its place. */
export interface SchemaField {
  /** As `kubectl explain` writes it, with `[]` for the items of a list and `<key>` for the values of a map: `spec.steps[].name`. Unique in a schema. */
  readonly id: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Whether fields are below it: its own, those of its items, or those of its values. */
  readonly hasChildren: boolean;
  /** From 1. */
  readonly level: number;
}

/** Schemas that contain themselves (JSONSchemaProps) end here. */
const MOST_LEVELS = 20;
/** Lists of lists, maps of lists. */
const MOST_WRAPPERS = 4;
/** Fields that a search looks at, and fields that it finds. */
const MOST_SEARCHED = 20_000;
const MOST_FOUND = 200;

/** What people come for is above what every object has. */
const ROOT_ORDER = ['status', 'metadata', 'apiVersion', 'kind'];

/** The fields at the top of a kind: its own first, then status and metadata. */
export function rootFields(root: JsonSchema): SchemaField[] {
  return fieldsIn(root, '', 1).sort((a, b) => ROOT_ORDER.indexOf(a.name) - ROOT_ORDER.indexOf(b.name));
}

/** The fields below a field, in the order of the schema. */
export function childFields(field: SchemaField): SchemaField[] {
  if (field.level >= MOST_LEVELS) return [];
  const { schema, suffix } = unwrapped(field.schema);
  return fieldsIn(schema, `${field.id}${suffix}.`, field.level + 1);
}

function fieldsIn(schema: JsonSchema, prefix: string, level: number): SchemaField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    id: `${prefix}${name}`,
    name,
    schema: member,
    isRequired: required.has(name),
    hasChildren: level < MOST_LEVELS && Object.keys(unwrapped(member).schema.properties ?? {}).length > 0,
    level,
  }));
}

/** What a list or a map holds in the end, and how a path goes there. */
function unwrapped(schema: JsonSchema): { schema: JsonSchema; suffix: string } {
  let inner = schema;
  let suffix = '';
  for (let depth = 0; depth < MOST_WRAPPERS && inner.properties === undefined; depth++) {
    if (inner.items !== undefined) {
      inner = inner.items;
      suffix += '[]';
    } else if (typeof inner.additionalProperties === 'object') {
      inner = inner.additionalProperties;
      suffix += '.<key>';
    } else break;
  }
  return { schema: inner, suffix };
}

/** What a search found. */
export interface FieldSearch {
  /** The ids of the fields that fit. */
  readonly found: ReadonlySet<string>;
  /** The same with all fields above them. */
  readonly shown: ReadonlySet<string>;
  /** False when the search ended at its limits, and more fields may fit. */
  readonly isWhole: boolean;
}

/** The fields whose name, or dotted path, contains the text. A type that contains itself is entered once. */
export function searchFields(root: JsonSchema, text: string): FieldSearch {
  const wanted = text.trim().toLowerCase();
  const found = new Set<string>();
  const shown = new Set<string>();
  let looked = 0;
  for (const { field, above } of fieldsByLevel(root)) {
    looked++;
    if (looked > MOST_SEARCHED || found.size >= MOST_FOUND) return { found, shown, isWhole: false };
    if (!(wanted.includes('.') ? field.id : field.name).toLowerCase().includes(wanted)) continue;
    found.add(field.id);
    for (const id of [...above, field.id]) shown.add(id);
  }
  return { found, shown, isWhole: true };
}

interface FieldBelow {
  readonly field: SchemaField;
  /** The ids of the fields above it. */
  readonly above: readonly string[];
  /** The types that it is in. */
  readonly types: readonly string[];
}

/** All fields, those that are near to the top first. */
function* fieldsByLevel(root: JsonSchema): IterableIterator<FieldBelow> {
  let level: FieldBelow[] = rootFields(root).map((field) => ({ field, above: [], types: [] }));
  while (level.length > 0) {
    const below: FieldBelow[] = [];
    for (const { field, above, types } of level) {
      yield { field, above, types };
      const type = unwrapped(field.schema).schema.component;
      if (type !== undefined && types.includes(type)) continue;
      const next = { above: [...above, field.id], types: type === undefined ? types : [...types, type] };
      below.push(...childFields(field).map((child) => ({ field: child, ...next })));
    }
    level = below;
  }
}

/** The type of a field as `kubectl explain` writes it: `[]Container`, `map[string]string`, `integer or string`. */
export function schemaTypeWords(schema: JsonSchema, depth = 0): string {
  if (depth > MOST_WRAPPERS) return '…';
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return 'integer or string';
  if (schema.items !== undefined) return `[]${schemaTypeWords(schema.items, depth + 1)}`;
  if (typeof schema.additionalProperties === 'object') {
    return `map[string]${schemaTypeWords(schema.additionalProperties, depth + 1)}`;
  }
  const component = schema.component?.split('.').at(-1);
  if (component !== undefined) return component;
  if (schema.type === undefined) return schema.properties === undefined ? 'any' : 'object';
  return schema.type === 'array' ? '[]any' : schema.type;
}
