import type { CelType } from '@/lib/cel/cel-type';
import { equalValues } from '@/lib/cel/equality';
import { readDuration, readTimestamp } from '@/lib/cel/functions/conversions';
import { fromJson } from '@/lib/cel/json-values';
import { type ListKind, withListKind } from '@/lib/cel/list-kinds';
import { CelError, CelMap, CelObject, type CelValue } from '@/lib/cel/values';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { DeclaredField, DeclaredType } from './declared-type';

/** A JSON value as CEL sees it under a schema (apiserver cel/common UnstructuredToVal). */
export function declaredValue(value: JsonValue, declared: DeclaredType): CelValue {
  if (value === null) return nothing(declared);
  switch (declared.type.kind) {
    case 'list':
      return Array.isArray(value) ? listValue(value, declared) : fromJson(value);
    case 'map':
      return isJsonObject(value) && declared.inner !== undefined
        ? new SchemaMap(value, declared.inner)
        : fromJson(value);
    case 'struct':
      return isJsonObject(value) ? new SchemaObject(value, declared) : fromJson(value);
    case 'double':
      return typeof value === 'number' ? value : fromJson(value);
    default:
      return typeof value === 'string' ? textValue(value, declared) : fromJson(value);
  }
}

function nothing({ schema }: DeclaredType): CelValue {
  if (schema.nullable === true) return null;
  throw new CelError('invalid data, got null for schema with nullable=false');
}

function textValue(text: string, { type, schema }: DeclaredType): CelValue {
  switch (type.kind) {
    case 'timestamp':
      return readTimestamp(schema.format === 'date' ? `${text}T00:00:00Z` : text) ?? text;
    case 'duration':
      return readDuration(text) ?? text;
    case 'bytes':
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    default:
      return text;
  }
}

function listValue(list: readonly JsonValue[], { schema, inner }: DeclaredType): CelValue {
  if (inner === undefined) return [];
  const items = list.map((item) => declaredValue(item, inner));
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return withListKind(items, SET);
    case 'map':
      return withListKind(items, mapKind(schema['x-kubernetes-list-map-keys'] ?? [], inner));
    default:
      return items;
  }
}

const isIn = (list: readonly CelValue[], value: CelValue) => list.some((each) => equalValues(each, value));

const SET: ListKind = {
  equals: (a, b) => a.every((each) => isIn(b, each)),
  add: (a, b) => withListKind([...a, ...b.filter((each) => !isIn(a, each))], SET),
};

/** Items with the same keys are the same item; those of the second list win, in the place of the first. */
function mapKind(keys: readonly string[], { fields }: DeclaredType): ListKind {
  const names = [...(fields ?? [])].flatMap(([name, field]) => (keys.includes(field.name) ? [name] : []));
  const isSame = (a: CelValue, b: CelValue) =>
    a instanceof CelObject &&
    b instanceof CelObject &&
    names.every((name) => equalValues(a.find(name) ?? null, b.find(name) ?? null));
  const kind: ListKind = {
    equals: (a, b) => a.every((each) => b.some((other) => isSame(each, other) && equalValues(each, other))),
    add(a, b) {
      const kept = a.map((each) => b.find((other) => isSame(each, other)) ?? each);
      return withListKind([...kept, ...b.filter((each) => !a.some((other) => isSame(each, other)))], kind);
    },
  };
  return kind;
}

class SchemaMap extends CelMap {
  constructor(
    private readonly object: JsonObject,
    private readonly inner: DeclaredType,
  ) {
    super();
  }

  get size(): number {
    return Object.keys(this.object).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.object, key)) return undefined;
    return declaredValue(this.object[key] ?? null, this.inner);
  }

  keys(): CelValue[] {
    return Object.keys(this.object);
  }
}

class SchemaObject extends CelObject {
  readonly type: CelType;
  private readonly fields: ReadonlyMap<string, DeclaredField>;

  constructor(
    private readonly object: JsonObject,
    declared: DeclaredType,
  ) {
    super();
    this.type = declared.type;
    this.fields = declared.fields ?? new Map();
  }

  find(name: string): CelValue | undefined {
    const field = this.fields.get(name);
    if (field === undefined || !Object.hasOwn(this.object, field.name)) return undefined;
    return declaredValue(this.object[field.name] ?? null, field.declared);
  }

  equals(other: CelObject): boolean {
    return [...this.fields.keys()].every((name) => {
      const mine = this.find(name);
      const theirs = other.find(name);
      return mine === undefined || theirs === undefined ? mine === theirs : equalValues(mine, theirs);
    });
  }
}
