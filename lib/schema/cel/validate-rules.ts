import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { printed, type SchemaFieldError } from '../field-error';
import type { JsonSchema } from '../json-schema';
import { correlatedItem } from '../validate-by-schema';
import { type CompiledRule, compileRules } from './compile-rule';

/**
 * Runs every rule of a schema on a value; `old` is the value before an update. `excused` hears of broken rules on
 * values that the update did not touch.
 */
export type RuleValidator = (
  value: JsonValue,
  old?: JsonValue | undefined,
  excused?: ((error: SchemaFieldError) => void) | undefined,
) => SchemaFieldError[];

interface Node {
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, Node>;
  readonly additional: Node | undefined;
  readonly items: Node | undefined;
  readonly schema: JsonSchema;
}

interface Findings {
  readonly errors: SchemaFieldError[];
  readonly excused: ((error: SchemaFieldError) => void) | undefined;
}

const validators = new WeakMap<JsonSchema, RuleValidator | 'none'>();

/** The rules of a whole schema (`x-kubernetes-validations` at any depth), or undefined when there are none. */
export function validateRules(schema: JsonSchema): RuleValidator | undefined {
  let validator = validators.get(schema);
  if (validator === undefined) {
    const root = compileNode(schema, true);
    validator =
      root === undefined
        ? 'none'
        : (value, old, excused) => {
            const errors: SchemaFieldError[] = [];
            visit(root, value, old, '', { errors, excused });
            return errors;
          };
    validators.set(schema, validator);
  }
  return validator === 'none' ? undefined : validator;
}

/** The node of a schema, or undefined when there are no rules in it or below. */
function compileNode(schema: JsonSchema, isRoot: boolean): Node | undefined {
  const properties = new Map<string, Node>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = compileNode(property, false);
    if (node !== undefined) properties.set(name, node);
  }
  const additional =
    typeof schema.additionalProperties === 'object' ? compileNode(schema.additionalProperties, false) : undefined;
  const items = schema.items === undefined ? undefined : compileNode(schema.items, false);
  const own = schema['x-kubernetes-validations'] ?? [];
  if (own.length === 0 && properties.size === 0 && additional === undefined && items === undefined) return undefined;
  const rules = own.length === 0 ? [] : compileRules(schema, isRoot);
  return { rules, properties, additional, items, schema };
}

function visit(node: Node, value: JsonValue, old: JsonValue | undefined, path: string, findings: Findings): void {
  if (value === null) return;
  const unchanged = old !== undefined && jsonEqual(value, old);
  for (const rule of node.rules) {
    if (rule.problem !== undefined) continue;
    if (rule.isTransition && old === undefined && rule.rule.optionalOldSelf !== true) continue;
    const found = runRule(rule, value, old, path);
    if (unchanged && !rule.isTransition) for (const error of found) findings.excused?.(error);
    else findings.errors.push(...found);
  }
  if (Array.isArray(value)) {
    if (node.items === undefined) return;
    for (const [index, item] of value.entries()) {
      visit(node.items, item, correlatedItem(item, node.schema, old), `${path}[${index}]`, findings);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  const before = isJsonObject(old) ? old : {};
  for (const [name, member] of Object.entries(value)) {
    const property = node.properties.get(name);
    if (property !== undefined) visit(property, member, before[name], path === '' ? name : `${path}.${name}`, findings);
    else if (node.additional !== undefined && node.schema.properties?.[name] === undefined) {
      visit(node.additional, member, before[name], `${path}[${name}]`, findings);
    }
  }
}

function runRule(
  compiled: CompiledRule,
  value: JsonValue,
  old: JsonValue | undefined,
  path: string,
): SchemaFieldError[] {
  const outcome = compiled.run(value, old);
  const field = path === '' ? '<nil>' : path;
  const { rule } = compiled;
  const fixed = rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`;
  if ('problem' in outcome) {
    const type = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeName(value);
    const message = `Invalid value: "${type}": ${outcome.problem} evaluating rule: ${fixed}`;
    return [{ field, type: 'FieldValueInvalid', message }];
  }
  if (outcome.holds) return [];
  const place = rule.fieldPath === undefined ? field : `${path}${rule.fieldPath}`.replace(/^\./, '');
  return [faultOf(rule.reason, place, value, compiled.message(value, old) ?? fixed)];
}

function typeName(value: JsonValue): string {
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

/** Objects and lists are not printed into messages of rules. */
function faultOf(reason: string | undefined, field: string, value: JsonValue, detail: string): SchemaFieldError {
  const shown = typeof value === 'object' ? '' : `${printed(value)}: `;
  switch (reason) {
    case 'FieldValueRequired':
      return { field, type: 'FieldValueRequired', message: `Required value: ${detail}` };
    case 'FieldValueForbidden':
      return { field, type: 'FieldValueForbidden', message: `Forbidden: ${detail}` };
    case 'FieldValueDuplicate':
      return {
        field,
        type: 'FieldValueDuplicate',
        message: typeof value === 'object' ? 'Duplicate value' : `Duplicate value: ${printed(value)}`,
      };
    default:
      return { field, type: 'FieldValueInvalid', message: `Invalid value: ${shown}${detail}` };
  }
}
