import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { duplicate, fieldForbidden, invalid, required, type SchemaFieldError } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { correlatedItem } from '@/lib/schema/validate-by-schema';
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

/** What all rules of one object may cost (apiserver apis/cel RuntimeCELCostBudget). */
const OBJECT_BUDGET = 10_000_000;
const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

const MESSAGE_BYTES = 5 * 1024;

const validators = new WeakMap<JsonSchema, RuleValidator | 'none'>();

/** The rules of a whole schema (`x-kubernetes-validations` at any depth), or undefined when there are none. */
export function validateRules(schema: JsonSchema): RuleValidator | undefined {
  let validator = validators.get(schema);
  if (validator === undefined) {
    const root = compileNode(schema, new Map());
    validator =
      root === undefined
        ? 'none'
        : (value, old, excused) => {
            const run = new RuleRun(excused);
            run.visit(root, value, old, '');
            return run.errors;
          };
    validators.set(schema, validator);
  }
  return validator === 'none' ? undefined : validator;
}

/**
 * The node of a schema, or undefined when there are no rules in it or below.
 *
 * @param known the nodes of this schema so far: built-in kinds refer to themselves, and rules of a part inside of itself are not run
 */
function compileNode(schema: JsonSchema, known: Map<JsonSchema, Node | undefined>): Node | undefined {
  if (known.has(schema)) return known.get(schema);
  const isRoot = known.size === 0;
  known.set(schema, undefined);
  const properties = new Map<string, Node>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = compileNode(property, known);
    if (node !== undefined) properties.set(name, node);
  }
  const additional =
    typeof schema.additionalProperties === 'object' ? compileNode(schema.additionalProperties, known) : undefined;
  const items = schema.items === undefined ? undefined : compileNode(schema.items, known);
  const own = schema['x-kubernetes-validations'] ?? [];
  if (own.length === 0 && properties.size === 0 && additional === undefined && items === undefined) return undefined;
  const rules = own.length === 0 ? [] : compileRules(schema, isRoot);
  const node = { rules, properties, additional, items, schema };
  known.set(schema, node);
  return node;
}

/** What a rule says; `isDecision` when it said no, not when it failed. */
interface Verdict {
  readonly errors: readonly SchemaFieldError[];
  readonly isDecision: boolean;
}

/** One run of all rules on one object. */
class RuleRun {
  readonly errors: SchemaFieldError[] = [];
  /** What the rules of this object may still cost; below 0 no more rules are run. */
  private left = OBJECT_BUDGET;

  constructor(private readonly excused: ((error: SchemaFieldError) => void) | undefined) {}

  visit(node: Node, value: JsonValue, old: JsonValue | undefined, path: string): void {
    if (value === null || this.left < 0) return;
    this.runRules(node.rules, value, old, path);
    if (this.left < 0) return;
    if (Array.isArray(value)) {
      if (node.items === undefined) return;
      for (const [index, item] of value.entries()) {
        this.visit(node.items, item, correlatedItem(item, node.schema, old), `${path}[${index}]`);
      }
    } else if (isJsonObject(value)) this.visitMembers(node, value, isJsonObject(old) ? old : {}, path);
  }

  private visitMembers(node: Node, value: JsonObject, old: JsonObject, path: string): void {
    for (const [name, member] of Object.entries(value)) {
      const property = node.properties.get(name);
      if (property !== undefined) this.visit(property, member, old[name], path === '' ? name : `${path}.${name}`);
      else if (node.additional !== undefined && node.schema.properties?.[name] === undefined) {
        this.visit(node.additional, member, old[name], `${path}[${name}]`);
      }
    }
  }

  private runRules(rules: readonly CompiledRule[], value: JsonValue, old: JsonValue | undefined, path: string): void {
    if (rules.length === 0) return;
    const unchanged = old !== undefined && jsonEqual(value, old);
    for (const rule of rules) {
      if (rule.problem !== undefined) continue;
      if (rule.isTransition && old === undefined && rule.rule.optionalOldSelf !== true) continue;
      const found = this.runRule(rule, value, old, path);
      const isExcused = unchanged && !rule.isTransition && found.isDecision;
      for (const error of found.errors) {
        if (isExcused) this.excused?.(error);
        else this.errors.push(error);
      }
      if (this.left < 0) return;
    }
  }

  private runRule(compiled: CompiledRule, value: JsonValue, old: JsonValue | undefined, path: string): Verdict {
    const field = path === '' ? '<nil>' : path;
    const failed = (text: string): Verdict => ({ errors: [invalid(field, kindOf(value), text)], isDecision: false });
    const { rule } = compiled;
    const outcome = compiled.run(value, old);
    if (outcome.cost > this.left) {
      this.left = -1;
      return failed(SPENT);
    }
    this.left -= outcome.cost;
    const fixed = rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`;
    if (outcome.error !== undefined) {
      if (outcome.isTooCostly === true) this.left = -1;
      return failed(problemText(outcome.error, fixed, outcome.isTooCostly === true));
    }
    if (outcome.value === true) return { errors: [], isDecision: true };
    const message = this.messageOf(compiled, value, old);
    if (message === 'spent') return failed(SPENT);
    const place = rule.fieldPath === undefined ? field : `${path}${rule.fieldPath}`.replace(/^\./, '');
    return { errors: [faultOf(rule.reason, place, value, message ?? fixed)], isDecision: true };
  }

  /** The text that a rule's own expression makes; undefined when the fixed one has to do, `spent` when the budget is used up. */
  private messageOf(compiled: CompiledRule, value: JsonValue, old: JsonValue | undefined): string | undefined {
    const outcome = compiled.message(value, old);
    if (outcome === undefined) return undefined;
    if (outcome.isTooCostly === true || outcome.cost > this.left) {
      this.left = -1;
      return 'spent';
    }
    this.left -= outcome.cost;
    const text = typeof outcome.value === 'string' ? outcome.value.trim() : '';
    return text === '' || text.includes('\n') || text.length > MESSAGE_BYTES ? undefined : text;
  }
}

function problemText(error: string, rule: string, isTooCostly: boolean): string {
  if (isTooCostly)
    return `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
  if (!error.startsWith('no such overload')) return `${error} evaluating rule: ${rule}`;
  return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value !== 'number' ? typeof value : Number.isInteger(value) ? 'integer' : 'number';
}

/** Objects and lists are not printed into messages of rules. */
function faultOf(reason: string | undefined, field: string, value: JsonValue, detail: string): SchemaFieldError {
  const isScalar = typeof value !== 'object';
  switch (reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return fieldForbidden(field, detail);
    case 'FieldValueDuplicate':
      return isScalar ? duplicate(field, value) : { field, type: reason, message: 'Duplicate value' };
    default:
      if (isScalar) return invalid(field, value, detail);
      return { field, type: 'FieldValueInvalid', message: `Invalid value: ${detail}` };
  }
}
