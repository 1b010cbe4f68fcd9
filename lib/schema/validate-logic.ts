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
  const errors: SchemaFieldError[] = [];
  const fault = (text: string) => errors.push(invalid('<nil>', '', `"${path}" must ${text}`));
  const tried = (schemas: readonly JsonSchema[]) => schemas.map((each) => validate(value, each, path));

  if (anyOf !== undefined && anyOf.length > 0) {
    const results = tried(anyOf);
    if (!results.some(isClean)) {
      fault('validate at least one schema (anyOf)');
      errors.push(...(results[0] ?? []));
    }
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const results = tried(oneOf);
    const valid = results.filter(isClean).length;
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      fault(`validate one and only one schema (oneOf). ${found}`);
      if (valid === 0) errors.push(...(results[0] ?? []));
    }
  }
  if (allOf !== undefined && allOf.length > 0) {
    const results = tried(allOf);
    const valid = results.filter(isClean).length;
    if (valid < allOf.length) {
      errors.push(...results.flat());
      fault(`validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
  }
  if (not !== undefined && isClean(validate(value, not, path))) fault('not validate the schema (not)');
  return errors;
}

function isClean(errors: readonly SchemaFieldError[]): boolean {
  return errors.length === 0;
}
