import { invalid, type SchemaFieldError, tooLong, tooMany, typeInvalid } from './field-error';
import { hasFormat } from './formats';
import type { JsonSchema } from './json-schema';
import { matchesPattern } from './safe-pattern';

/** Length (in characters), pattern and format of a string. */
export function validateString(value: string, schema: JsonSchema, path: string): SchemaFieldError[] {
  const errors: SchemaFieldError[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  // Of length and pattern only the first fault is told.
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  else if (minLength !== undefined && length < minLength) {
    errors.push(invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  } else if (pattern !== undefined && pattern !== '' && !matchesPattern(pattern, value)) {
    errors.push(invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && !hasFormat(format, value)) {
    errors.push(typeInvalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  }
  return errors;
}

/** Bounds, multiples and the range of the format of a number. */
export function validateNumber(value: number, schema: JsonSchema, path: string): SchemaFieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors: SchemaFieldError[] = [...validateRange(value, schema, path)];
  const fault = (text: string) => errors.push(invalid(path, value, `${path} in body ${text}`));
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum === true ? value >= maximum : value > maximum) {
      fault(`should be less than ${schema.exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`);
    }
  }
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum === true ? value <= minimum : value < minimum) {
      fault(`should be greater than ${schema.exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`);
    }
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) fault(`should be a multiple of ${multipleOf}`);
  return errors;
}

const RANGES: { readonly [format: string]: number } = {
  int32: 2 ** 31,
  uint32: 2 ** 32,
  int64: 2 ** 63,
  uint64: 2 ** 64,
};

function validateRange(value: number, schema: JsonSchema, path: string): SchemaFieldError[] {
  const limit = schema.format === undefined ? undefined : RANGES[schema.format];
  if (limit === undefined || !Number.isInteger(value)) return [];
  if (value < limit && value >= (schema.format?.startsWith('u') === true ? 0 : -limit)) return [];
  const detail = `Checked value must be of type ${schema.type} with format ${schema.format} in ${path}`;
  return [invalid('<nil>', '', detail)];
}

/** Tolerates what binary fractions do: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

export function validateArraySize(count: number, schema: JsonSchema, path: string): SchemaFieldError[] {
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && count < minItems) {
    return [invalid(path, count, `${path} in body should have at least ${minItems} items`)];
  }
  return maxItems !== undefined && count > maxItems ? [tooMany(path, count, maxItems)] : [];
}

export function validateObjectSize(count: number, schema: JsonSchema, path: string): SchemaFieldError[] {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && count < minProperties) {
    return [invalid(path, count, `${path} in body should have at least ${minProperties} properties`)];
  }
  return maxProperties !== undefined && count > maxProperties ? [tooMany(path, count, maxProperties)] : [];
}
