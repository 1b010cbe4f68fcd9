import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import type { FormField, FormGroup } from '@/lib/kudo/view/form-model';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { readYaml } from '@/lib/yaml/yaml';

/** The spec of a resource as the form of parameters; what the form has no control for is edited as YAML. */
export interface SpecForm {
  readonly groups: readonly FormGroup[];
  /** Fields that are not in the form, as paths. */
  readonly others: readonly string[];
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];
/** Deeper objects are edited as YAML. */
const MAX_DEPTH = 3;

/**
 * @param schema of `spec`
 * @param spec as it is stored
 */
export function specForm(schema: JsonSchema, spec: JsonObject): SpecForm {
  const others: string[] = [];
  const top: FormField[] = [];
  const groups: FormGroup[] = [];
  const required = new Set(schema.required ?? []);
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const field = fieldOf(name, each, spec[name], required.has(name));
    if (field !== undefined) top.push(field);
    else {
      const inner = innerFields(name, each, spec[name], others);
      const description = each.description;
      if (inner.length > 0)
        groups.push({ name, label: name, ...(description === undefined ? {} : { description }), fields: inner });
    }
  }
  const first = top.length === 0 ? [] : [{ name: '', label: 'Spec', fields: top }];
  return { groups: [...first, ...groups], others };
}

function innerFields(path: string, schema: JsonSchema, value: JsonValue | undefined, others: string[]): FormField[] {
  const { properties } = schema;
  if (properties === undefined || path.split('.').length >= MAX_DEPTH) {
    others.push(path);
    return [];
  }
  const object = isJsonObject(value) ? value : {};
  return Object.entries(properties).flatMap(([name, each]) => {
    const place = `${path}.${name}`;
    const field = fieldOf(place, each, object[name], false);
    return field === undefined ? innerFields(place, each, object[name], others) : [field];
  });
}

/** Undefined for a field that has no control. */
function fieldOf(
  path: string,
  schema: JsonSchema,
  value: JsonValue | undefined,
  isRequired: boolean,
): FormField | undefined {
  const type = typeOf(schema);
  if (type === undefined) return undefined;
  const isImmutable = (schema['x-kubernetes-validations'] ?? []).some(({ rule }) => rule === 'self == oldSelf');
  const { description, default: byDefault } = schema;
  // A switch has no position for a field that is not set.
  const isOpenChoice = type === 'boolean' && value === undefined && byDefault === undefined;
  const members = schema.enum ?? (isOpenChoice ? ['true', 'false'] : undefined);
  return {
    name: path,
    label: path,
    ...(description === undefined ? {} : { description }),
    type,
    value: textOf(value ?? byDefault),
    isSet: value !== undefined,
    ...(byDefault === undefined ? {} : { default: textOf(byDefault) }),
    isRequired: isRequired && byDefault === undefined,
    isImmutable,
    ...(isImmutable && value !== undefined ? { lockedBecause: 'Its value cannot be changed.' } : {}),
    ...(members === undefined ? {} : { enum: members.map(textOf) }),
    isSecret: false,
    isAdvanced: false,
  };
}

function typeOf(schema: JsonSchema): FormField['type'] | undefined {
  const { type = '', items, additionalProperties } = schema;
  if (SCALARS.includes(type)) return type as FormField['type'];
  if (schema['x-kubernetes-int-or-string'] === true) return 'string';
  if (type === 'array' && isScalar(items)) return 'array';
  return type === 'object' && typeof additionalProperties === 'object' && isScalar(additionalProperties)
    ? 'map'
    : undefined;
}

function isScalar(schema: JsonSchema | undefined): boolean {
  return SCALARS.includes(schema?.type ?? '') || schema?.['x-kubernetes-int-or-string'] === true;
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? canonicalYaml(value) : String(value);
}

/**
 * The merge patch of `spec` for edited fields: a path to its text, or to undefined for the default. Texts are valid for their fields.
 */
export function resourceSpecPatch(
  fields: readonly FormField[],
  edits: ReadonlyMap<string, string | undefined>,
): JsonObject {
  const patch: JsonObject = {};
  for (const { name, type, enum: members } of fields) {
    if (!edits.has(name)) continue;
    const text = edits.get(name);
    setAt(patch, name.split('.'), text === undefined ? null : typedValue(text, type, members !== undefined));
  }
  return patch;
}

function typedValue(text: string, type: FormField['type'], isChoice: boolean): JsonValue {
  if (type === 'boolean') return text === '' ? null : text === 'true';
  if (type === 'string' || (isChoice && type !== 'integer' && type !== 'number')) return text;
  if (type === 'integer' || type === 'number') return text === '' ? null : Number(text);
  const read = readYaml(text);
  return read.ok ? read.value : text;
}

function setAt(target: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const known = target[name];
  const inner: JsonObject = isJsonObject(known) ? known : {};
  target[name] = inner;
  setAt(inner, rest, value);
}
