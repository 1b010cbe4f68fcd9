import type { JsonValue } from '@/lib/json/json';
import { printed, type SchemaFieldError, typeInvalid } from './field-error';
import { hasKnownFormat } from './formats';
import type { JsonSchema } from './json-schema';

const INTEGERS = ['int32', 'int64'];
const FLOATS = ['float', 'double'];

/**
 * The type of a value (kube-openapi validate typeValidator), oddities included: a list passes where a text with a
 * format is asked for, and something else of a wrong type is told with the format.
 */
export function validateType(value: JsonValue, schema: JsonSchema, path: string): SchemaFieldError[] {
  const wanted = typesOf(schema);
  if (wanted.length === 0 && (schema.format ?? '') === '') return [];
  const fault = (type: string, found: string) => {
    return [typeInvalid(path, found, `${path} in body must be of type ${type}: ${printed(found)}`)];
  };
  if (value === null) return wanted.length === 0 ? [] : fault(wanted.join(','), 'null');
  const found = typeName(value);
  const fits =
    wanted.includes(found) ||
    (found === 'integer' && wanted.includes('number')) ||
    (found === 'number' && wanted.includes('integer') && isWhole(value));
  const format = effectiveFormat(schema);
  if (format !== '') {
    const isTextual = typeof value === 'string' || Array.isArray(value);
    if (!isTextual && !fits && formatName(value) !== format) return fault(format, formatName(value));
    if (isTextual && !wanted.includes('number') && !wanted.includes('integer')) return [];
  }
  return fits || wanted.length === 0 ? [] : fault(wanted.join(','), found);
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** Formats that the API server does not know, or not for this type, are as if they were absent. */
function effectiveFormat({ type = '', format = '' }: JsonSchema): string {
  if (type === 'integer') return INTEGERS.includes(format) ? format : '';
  if (type === 'number') return FLOATS.includes(format) ? format : '';
  return hasKnownFormat(format) ? format : '';
}

/** True for numbers that Go reads as int64. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value < 2 ** 63 && value >= -(2 ** 63);
}

function isWhole(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return typeof value;
}

function formatName(value: JsonValue): string {
  if (typeof value !== 'number') return '';
  return isInt64(value) ? 'int64' : 'float64';
}
