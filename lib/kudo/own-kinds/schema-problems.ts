import { DYN } from '@/lib/cel/cel-type';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { compileExpression } from '@/lib/schema/cel/compile-expression';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { patternProblem } from '@/lib/schema/safe-pattern';
import { validateBySchema } from '@/lib/schema/validate-by-schema';

/** What is wrong with a schema; `field` is the path of the field in a resource, such as `.spec.size`. */
export interface SchemaProblem {
  readonly field: string;
  readonly message: string;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const RULE_VARIABLES = new Map([
  ['self', DYN],
  ['oldSelf', DYN],
]);

/** What the API server would refuse in the schema of a CRD, as far as it can be told without it: structure, patterns, rules, defaults. */
export function schemaProblems(schema: JsonSchema, field = ''): SchemaProblem[] {
  const own = ownProblems(schema).map((message) => ({ field: field === '' ? '.' : field, message }));
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, each]) =>
      isJsonObject(each)
        ? schemaProblems(each, `${field}.${name}`)
        : [{ field: `${field}.${name}`, message: 'the schema must be a map' }],
    ),
    ...(isJsonObject(items) ? schemaProblems(items as JsonSchema, `${field}[]`) : []),
    ...(isJsonObject(additionalProperties) ? schemaProblems(additionalProperties as JsonSchema, `${field}{}`) : []),
  ];
}

function ownProblems(schema: JsonSchema): string[] {
  return [...structureProblems(schema), ...ruleProblems(schema), ...defaultProblems(schema)];
}

function structureProblems(schema: JsonSchema): string[] {
  const { type, items, properties, additionalProperties, pattern } = schema;
  const problems: string[] = [];
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === undefined ? !isFree : !TYPES.includes(type)) {
    problems.push(`"type" must be one of ${TYPES.join(', ')}`);
  }
  if (type === 'array' && !isJsonObject(items)) problems.push('an array needs "items"');
  const isClosed = isJsonObject(additionalProperties) || additionalProperties === false;
  if (isClosed && Object.keys(properties ?? {}).length > 0) {
    problems.push('"properties" and "additionalProperties" exclude each other');
  }
  if (Object.hasOwn(schema, '$ref')) problems.push('"$ref" is not supported');
  const wrong = pattern === undefined ? undefined : patternProblem(pattern);
  if (wrong !== undefined) problems.push(`"pattern" is not a regular expression: ${wrong}`);
  return problems;
}

function ruleProblems(schema: JsonSchema): string[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule }) => {
    const { problem, type } = compileExpression(rule, RULE_VARIABLES, 'any');
    if (problem !== undefined) return [`rule "${rule}": ${problem.split('\n', 1)[0]}`];
    return type?.kind === 'bool' || type?.kind === 'dyn' ? [] : [`rule "${rule}" must give a bool, not ${type}`];
  });
}

function defaultProblems(schema: JsonSchema): string[] {
  const { default: value } = schema;
  if (value === undefined || value === null) return [];
  return validateBySchema(withDefaults(value, schema), schema).map(
    ({ field, message }) => `the default is not valid: ${field === '' ? '' : `${field}: `}${message}`,
  );
}

/** A value with the defaults of its members, as the API server applies them. */
export function withDefaults(value: JsonValue, schema: JsonSchema): JsonValue {
  if (!isJsonObject(value)) return value;
  const result = { ...value };
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const member = result[name] ?? each.default;
    if (member !== undefined && member !== null) result[name] = withDefaults(member, each);
  }
  return result;
}
