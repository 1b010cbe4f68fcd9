import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '../json-schema';

/** How a field is edited. `yaml` is for everything that has no better way. */
export type FieldControl =
  | 'text'
  | 'lines'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'int-or-string'
  | 'quantity'
  | 'object'
  | 'map'
  | 'list'
  | 'yaml';

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** The control for a field by its schema. A value that does not fit the control of its schema is edited as YAML. */
export function fieldControl(schema: JsonSchema, value: JsonValue | undefined): FieldControl {
  const control = controlOfSchema(schema);
  if (value === undefined || value === null) return control;
  const fits =
    control === 'list'
      ? Array.isArray(value)
      : control === 'object' || control === 'map'
        ? isJsonObject(value)
        : control === 'yaml' || typeof value !== 'object';
  if (!fits) return 'yaml';
  return control === 'text' && typeof value === 'string' && value.includes('\n') ? 'lines' : control;
}

function controlOfSchema(schema: JsonSchema): FieldControl {
  if (schema.component === QUANTITY) return 'quantity';
  if (isIntOrString(schema)) return 'int-or-string';
  if (schema.enum?.every((each) => typeof each !== 'object')) return 'choice';
  switch (schema.type) {
    case 'boolean':
    case 'integer':
    case 'number':
      return schema.type;
    case 'string':
      return 'text';
    case 'array':
      return schema.items === undefined ? 'yaml' : 'list';
    case 'object':
      return controlOfObject(schema);
    default:
      return schema.properties === undefined ? 'yaml' : 'object';
  }
}

function controlOfObject(schema: JsonSchema): FieldControl {
  if (schema.properties !== undefined || schema['x-kubernetes-embedded-resource'] === true) return 'object';
  return typeof schema.additionalProperties === 'object' ? 'map' : 'yaml';
}

function isIntOrString(schema: JsonSchema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return true;
  const types = (schema.oneOf ?? schema.anyOf ?? []).map(({ type }) => type);
  return types.length === 2 && types.includes('string') && (types.includes('integer') || types.includes('number'));
}

/** What a person typed, as the value that is written. A text that is no number stays a text, which the schema then refuses by name. */
export function typedValue(control: FieldControl, text: string, before: JsonValue | undefined): JsonValue {
  const isInteger = /^-?(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
  switch (control) {
    case 'integer':
      return isInteger ? Number(text) : text;
    case 'number':
      return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case 'int-or-string':
      // A number that was written as text stays one while its digits change.
      return isInteger && !(typeof before === 'string' && /^\d+$/.test(before)) ? Number(text) : text;
    default:
      return text;
  }
}

/** The type of a field in a word or two, for the label: `integer`, `list of object`, `date-time`. */
export function typeWords(schema: JsonSchema): string {
  const control = controlOfSchema(schema);
  if (control === 'list') return `list of ${schema.items === undefined ? 'values' : typeWords(schema.items)}`;
  if (control === 'map') return 'map';
  if (control === 'quantity' || control === 'int-or-string') return control;
  return (schema.type === 'string' ? schema.format : undefined) ?? schema.type ?? 'any value';
}
