import type { JsonValue } from '@/lib/json/json';
import { invalid, type SchemaFieldError } from './field-error';
import type { JsonSchema } from './json-schema';

type Validate = (value: JsonValue, schema: JsonSchema, path: string) => SchemaFieldError[];

/** `allOf`, `anyOf`, `oneOf` and `not` (kube-openapi validate SchemaPropsValidator). */
export function validateLogic(
  value: JsonValue,
  schema: JsonSchema,
  path: string,
  validate: Validate,
): SchemaFieldError[] {
  const { allOf, anyOf, oneOf, not } = schema;
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return [];
  const tried = (schemas: readonly JsonSchema[] = []) => schemas.map((each) => validate(value, each, path));
  const errors = [
    ...anyOfErrors(tried(anyOf), path),
    ...oneOfErrors(tried(oneOf), path),
    ...allOfErrors(tried(allOf), path),
  ];
  if (not !== undefined && isClean(validate(value, not, path)))
    errors.push(fault(path, 'not validate the schema (not)'));
  return errors;
}

/** What the value's validation by each schema of a list found; empty for an empty list. */
type Results = readonly (readonly SchemaFieldError[])[];

function anyOfErrors(results: Results, path: string): readonly SchemaFieldError[] {
  if (results.length === 0 || results.some(isClean)) return [];
  return [fault(path, 'validate at least one schema (anyOf)'), ...(results[0] ?? [])];
}

function oneOfErrors(results: Results, path: string): readonly SchemaFieldError[] {
  const valid = results.filter(isClean).length;
  if (results.length === 0 || valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  const error = fault(path, `validate one and only one schema (oneOf). ${found}`);
  return valid === 0 ? [error, ...(results[0] ?? [])] : [error];
}

function allOfErrors(results: Results, path: string): readonly SchemaFieldError[] {
  const valid = results.filter(isClean).length;
  if (valid === results.length) return [];
  return [...results.flat(), fault(path, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)];
}

function fault(path: string, text: string): SchemaFieldError {
  return invalid('<nil>', '', `"${path}" must ${text}`);
}

function isClean(errors: readonly SchemaFieldError[]): boolean {
  return errors.length === 0;
}
