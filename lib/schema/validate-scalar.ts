import { invalid, type SchemaFieldError, tooLong, tooMany, typeInvalid } from './field-error';
import { hasFormat } from './formats';
import type { JsonSchema } from './json-schema';
import { matchesPattern } from './safe-pattern';
import { isInt64 } from './validate-type';

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
  if (multipleOf !== undefined) errors.push(...validateMultiple(value, multipleOf, path));
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum === true ? value <= minimum : value < minimum) {
      fault(`should be greater than ${schema.exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`);
    }
  }
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum === true ? value >= maximum : value > maximum) {
      fault(`should be less than ${schema.exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`);
    }
  }
  return errors;
}

const RANGES: { readonly [format: string]: number } = { int32: 2 ** 31, int64: 2 ** 63 };
const FLOAT_MAX = 3.4028234663852886e38;

/** Only a number of the one type that the format belongs to has a range (numberValidator). */
function validateRange(value: number, schema: JsonSchema, path: string): SchemaFieldError[] {
  const { type, format = '' } = schema;
  const fault = (words: string) => [invalid('<nil>', '', `Checked value must be of type ${type} ${words} in ${path}`)];
  if (schema['x-kubernetes-int-or-string'] === true) return [];
  if (type === 'integer') {
    const limit = RANGES[format] ?? 2 ** 63;
    if (Number.isInteger(value) && value < limit && value >= -limit) return [];
    return fault(RANGES[format] === undefined ? '(default format)' : `with format ${format}`);
  }
  return type === 'number' && format === 'float' && Math.abs(value) > FLOAT_MAX ? fault(`with format ${format}`) : [];
}

/** Whole numbers are divided as int64, which cuts the fraction off the factor (MultipleOfNativeType). */
function validateMultiple(value: number, factor: number, path: string): SchemaFieldError[] {
  const isWhole = isInt64(value);
  const of = isWhole ? Math.trunc(factor) : factor;
  if (of <= 0) return [invalid(path, of, `factor MultipleOf declared for ${path} must be positive: ${of}`)];
  if (isWhole ? value % of === 0 : isMultiple(value, of)) return [];
  return [invalid(path, value, `${path} in body should be a multiple of ${of}`)];
}

/** Tolerates what binary fractions do: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = of < 1 ? (1 / of) * value : value / of;
  if (Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient)) && !isTiny(quotient);
}

/** Nearly nothing is no multiple. */
function isTiny(quotient: number): boolean {
  return quotient !== 0 && Math.round(quotient) === 0;
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
