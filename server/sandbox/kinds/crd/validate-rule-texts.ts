import { compileRules } from '@/lib/schema/cel/compile-rule';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema, ValidationRule } from '@/lib/schema/json-schema';
import { asInternal } from '../access';
import type { Faults } from '../kind-rules';
import { buildsLongText, estimateCost } from './rule-cost';
import { forEachPart } from './schema-parts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** The rules of a schema: their texts, types, cost, and that old values can be told (apiextensions schema/cel). */
export function validateRuleTexts(schema: JsonSchema, path: string, faults: Faults): void {
  const costly: Cost[] = [];
  visit(schema, path, { isRoot: true, correlates: true, elements: 1 }, faults, (field, cost) => {
    costly.push({ field, cost });
  });
  const total = costly.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= LIMIT_TOTAL) return;
  for (const { field, cost } of costly) {
    if (cost <= LIMIT_RULE) continue;
    const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    faults.push(forbidden(field, text));
  }
  const factor = factorText(total / LIMIT_TOTAL);
  const text = `x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ${factor} ${ADVICE}`;
  faults.push(forbidden(path, text));
}

interface Cost {
  readonly field: string;
  readonly cost: number;
}

const LIMIT_RULE = 10_000_000;
const LIMIT_TOTAL = 100_000_000;

interface Place {
  readonly isRoot: boolean;
  /** The value of an update can be found in the old object. */
  readonly correlates: boolean;
  /** How many values the place may hold, by the sizes of the lists and maps around it. */
  readonly elements: number;
}

function visit(
  schema: JsonSchema,
  path: string,
  place: Place,
  faults: Faults,
  spend: (field: string, cost: number) => void,
): void {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const compiled = rules.length === 0 ? [] : compileRules(schema, place.isRoot);
  for (const [index, each] of compiled.entries()) {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    validateTexts(each.rule, field, faults);
    if (each.rule.rule.trim() === '') continue;
    if (each.problem !== undefined) {
      faults.push(invalid(`${field}.rule`, asInternal({ ...each.rule }), each.problem));
      continue;
    }
    if (each.isTransition && !place.correlates) {
      const text = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      faults.push(invalid(`${field}.rule`, each.rule.rule, `${text} ${path}`));
    }
    const cost = estimateCost(each.rule.rule, schema) * place.elements;
    spend(`${field}.rule`, cost);
    if (buildsLongText(each.rule.messageExpression)) {
      spend(`${field}.messageExpression`, LIMIT_TOTAL * 1_000);
      const text = `estimated messageExpression cost exceeds budget by factor of more than 100x ${ADVICE}`;
      faults.push(forbidden(`${field}.messageExpression`, text));
    }
    if (cost > LIMIT_RULE) {
      const text = `estimated rule cost exceeds budget by factor of ${factorText(cost / LIMIT_RULE)} ${ADVICE}`;
      faults.push(forbidden(`${field}.rule`, text));
    }
  }
  const listIsMap = schema['x-kubernetes-list-type'] === 'map';
  forEachPart(schema, path, (part, partPath) => {
    const isItem = part === schema.items;
    const isMember = part === schema.additionalProperties;
    const count = isItem ? (schema.maxItems ?? UNBOUNDED) : isMember ? (schema.maxProperties ?? UNBOUNDED) : 1;
    visit(
      part,
      partPath,
      { isRoot: false, correlates: place.correlates && (!isItem || listIsMap), elements: place.elements * count },
      faults,
      spend,
    );
  });
}

/** What a list without `maxItems` may hold within one request. */
const UNBOUNDED = 1_000_000;

function validateTexts(rule: ValidationRule, field: string, faults: Faults): void {
  if (rule.rule.trim() === '') faults.push(required(`${field}.rule`, 'rule is not specified'));
  const { message, messageExpression, reason } = rule;
  if (message !== undefined && message.trim() === '' && message !== '') {
    faults.push(invalid(`${field}.message`, message, 'message must be non-empty if specified'));
  } else if (message?.trim().includes('\n')) {
    faults.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
  } else if (rule.rule.trim().includes('\n') && (message ?? '') === '') {
    faults.push(required(`${field}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== undefined && messageExpression.trim() === '' && messageExpression !== '') {
    faults.push(required(`${field}.messageExpression`, 'must be non-empty if specified'));
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    faults.push(notSupported(`${field}.reason`, reason, REASONS));
  }
}

function factorText(factor: number): string {
  return factor > 100 ? 'more than 100x' : `${factor.toFixed(1)}x`;
}
