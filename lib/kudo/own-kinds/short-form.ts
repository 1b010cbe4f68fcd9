import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { applyMarkers } from './apply-markers';
import { readMarkers } from './markers';

/** A problem in a schema in short form; `path` leads to the field. */
export interface ShortFormProblem {
  readonly path: readonly string[];
  readonly message: string;
}

export interface ShortFormResult {
  readonly schema: JsonSchema;
  readonly problems: readonly ShortFormProblem[];
}

const SCALARS: { readonly [type: string]: JsonSchema } = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  intOrString: { 'x-kubernetes-int-or-string': true },
};

const MAX_DEPTH = 32;
const MAP = 'map[string]';

/**
 * A map of fields in the short form that kro's SimpleSchema made familiar, as a structural schema: `size: integer | default=3 minimum=1`,
 * `[]string`, `map[string]integer`, nested maps, `types` by name. An object whose fields have defaults gets the default `{}`, so that they
 * apply without it, unless it has a required field.
 *
 * @param types types that fields may name, in short form
 */
export function shortFormSchema(fields: JsonObject, types: JsonObject = {}): ShortFormResult {
  const reader = new ShortForm(types);
  const schema = reader.fields(fields, []);
  return { schema, problems: reader.problems };
}

class ShortForm {
  readonly problems: ShortFormProblem[] = [];

  constructor(private readonly types: JsonObject) {}

  fields(fields: JsonObject, path: readonly string[]): JsonSchema {
    const properties: { [name: string]: JsonSchema } = {};
    const required: string[] = [];
    for (const [name, value] of Object.entries(fields)) {
      const field = this.field(value, [...path, name]);
      properties[name] = field.schema;
      if (field.isRequired) required.push(name);
    }
    return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  }

  private field(value: JsonValue, path: readonly string[]): { schema: JsonSchema; isRequired: boolean } {
    if (path.length > MAX_DEPTH) {
      this.problem(path, `the field is nested deeper than ${MAX_DEPTH} levels; a type may not contain itself`);
      return { schema: {}, isRequired: false };
    }
    if (isJsonObject(value)) return { schema: withEmptyDefault(this.fields(value, path)), isRequired: false };
    if (typeof value !== 'string') {
      this.problem(path, `"${path.at(-1)}" must be a type such as string, or a map of fields`);
      return { schema: {}, isRequired: false };
    }
    const [type = '', ...rest] = value.split('|');
    const schema = this.type(type.trim(), path);
    if (rest.length === 0 || schema === undefined) return { schema: withEmptyDefault(schema ?? {}), isRequired: false };
    const markers = readMarkers(rest.join('|'));
    if ('problem' in markers) {
      this.problem(path, markers.problem);
      return { schema, isRequired: false };
    }
    const applied = applyMarkers(schema, markers);
    for (const message of applied.problems) this.problem(path, message);
    return { schema: withEmptyDefault(applied.schema), isRequired: applied.isRequired };
  }

  private type(type: string, path: readonly string[]): JsonSchema | undefined {
    const scalar = Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined;
    if (scalar !== undefined) return scalar;
    if (type.startsWith('[]')) {
      const items = this.type(type.slice(2).trim(), [...path, '[]']);
      return items === undefined ? undefined : { type: 'array', items };
    }
    if (type.startsWith(MAP)) {
      const members = this.type(type.slice(MAP.length).trim(), [...path, MAP]);
      return members === undefined ? undefined : { type: 'object', additionalProperties: members };
    }
    const own = Object.hasOwn(this.types, type) ? this.types[type] : undefined;
    if (own !== undefined) return this.field(own, path).schema;
    this.problem(path, `"${type}" is not a type: use ${Object.keys(SCALARS).join(', ')}, []TYPE or map[string]TYPE`);
    return undefined;
  }

  private problem(path: readonly string[], message: string): void {
    this.problems.push({ path: path.filter((name) => name !== '[]' && name !== MAP), message });
  }
}

/** The API server applies defaults only below an object that exists. */
function withEmptyDefault(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || schema.default !== undefined) return schema;
  const { properties = {}, required = [] } = schema;
  const hasDefault = Object.values(properties).some((each) => each.default !== undefined);
  const isComplete = required.every((name) => properties[name]?.default !== undefined);
  return hasDefault && isComplete ? { ...schema, default: {} } : schema;
}
