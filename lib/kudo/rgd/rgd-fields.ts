import type { JsonObject } from '@/lib/json/json';
import { type ParameterEntry, upperSnake } from '@/lib/kudo/manifests/parameter-list';
import type { ParameterType } from '@/lib/kudo/types';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { RgdField } from './rgd-names';

/** The fields of a schema as parameters, in the order of the schema: an object with fields gives one for each of them. */
export function fieldsOf(schema: JsonSchema): {
  readonly fields: readonly RgdField[];
  readonly entries: readonly ParameterEntry[];
} {
  const fields: RgdField[] = [];
  const entries: ParameterEntry[] = [];
  const taken = new Set<string>();
  const visit = (each: JsonSchema, path: readonly string[], isRequired: boolean): void => {
    const { properties, required = [] } = each;
    if (properties !== undefined) {
      for (const [name, member] of Object.entries(properties)) {
        visit(member, [...path, name], required.includes(name) && (path.length === 0 || isRequired));
      }
      return;
    }
    const parameter = freeName(upperSnake(path.join('_')), taken);
    const type = typeOf(each);
    fields.push({ path, parameter, type });
    entries.push(entryOf(each, { parameter, type, isRequired }));
  };
  visit(schema, [], true);
  return { fields, entries };
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}

function typeOf({ type, items }: JsonSchema): ParameterType {
  if (type === 'array' || items !== undefined) return 'array';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  return type === 'object' ? 'map' : 'string';
}

interface EntryInput {
  readonly parameter: string;
  readonly type: ParameterType;
  readonly isRequired: boolean;
}

/** A field that is neither required nor has a default is empty: that is what `has` of an expression asks. */
function entryOf(schema: JsonSchema, { parameter, type, isRequired }: EntryInput): ParameterEntry {
  const { description, default: standard, enum: members } = schema;
  const isText = type === 'integer' || type === 'number';
  const written = standard === undefined || !isText ? standard : String(standard);
  const isImmutable = (schema['x-kubernetes-validations'] ?? []).some(({ rule }) => rule === 'self == oldSelf');
  return {
    name: parameter,
    type,
    ...(description === undefined ? {} : { description }),
    ...(written === undefined ? {} : { default: written }),
    ...(members === undefined || members === null ? {} : { enum: [...members] }),
    ...(isImmutable && isRequired ? { immutable: true } : {}),
    required: isRequired && standard === undefined,
  };
}

/** `spec` of a resource of the own kind as parameters: each field gives the parameter of its name. */
export function parameterMapping(fields: readonly RgdField[], entries: readonly ParameterEntry[]): JsonObject {
  return Object.fromEntries(
    fields.map(({ path, parameter }, at) => {
      const isAlwaysSet = entries[at]?.required === true || entries[at]?.default !== undefined;
      const cel = isAlwaysSet ? `self.spec.${path.join('.')}` : `self.spec.?${path.join('.?')}.orValue(null)`;
      return [parameter, `\${${cel}}`];
    }),
  );
}
