import { type CompiledRule, compileRules } from '@/lib/schema/cel/compile-rule';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema, ValidationRule } from '@/lib/schema/json-schema';
import { asInternal } from '../access';
import type { Faults } from '../kind-rules';
import { mostBelow, RuleCosts } from './rule-costs';
import { forEachPart } from './schema-parts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The rules of a schema: their texts, types, cost, and that old values can be told (apiextensions schema/cel). */
export function validateRuleTexts(schema: JsonSchema, path: string, faults: Faults): void {
  const costs = new RuleCosts(faults);
  visit(schema, path, { isRoot: true, correlates: true, elements: 1 }, faults, costs);
  costs.finish(path);
}

interface Place {
  readonly isRoot: boolean;
  /** The value of an update can be found in the old object. */
  readonly correlates: boolean;
  /** How many values the place may hold, by the bounds of the lists and maps around it; undefined where one has none. */
  readonly elements: number | undefined;
}

function visit(schema: JsonSchema, path: string, place: Place, faults: Faults, costs: RuleCosts): void {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const compiled = rules.length === 0 ? [] : compileRules(schema, place.isRoot);
  for (const [index, each] of compiled.entries()) {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    validateTexts(each.rule, field, faults);
    if (each.rule.rule.trim() === '') continue;
    costs.observe(field, 'rule', each.mostCost * (place.elements ?? each.mostValues));
    validateCompiled(each, field, faults, costs);
    if (each.isTransition && !place.correlates) {
      const text = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      faults.push(invalid(`${field}.rule`, each.rule.rule, `${text} ${path}`));
    }
    if (each.problem === undefined && !each.isTransition && each.rule.optionalOldSelf !== undefined) {
      const text = 'may not be set if oldSelf is not used in rule';
      faults.push(invalid(`${field}.optionalOldSelf`, each.rule.optionalOldSelf, text));
    }
  }
  const listIsMap = schema['x-kubernetes-list-type'] === 'map';
  const most = mostBelow(schema);
  forEachPart(schema, path, (part, partPath) => {
    const isItem = part === schema.items;
    const elements = place.elements === undefined || most === undefined ? undefined : place.elements * most;
    const correlates = place.correlates && (!isItem || listIsMap);
    visit(part, partPath, { isRoot: false, correlates, elements }, faults, costs);
  });
}

function validateCompiled(each: CompiledRule, field: string, faults: Faults, costs: RuleCosts): void {
  const shown = asInternal({ ...each.rule });
  if (each.problem !== undefined) faults.push(invalid(`${field}.rule`, shown, each.problem));
  if (each.messageProblem !== undefined) {
    faults.push(invalid(`${field}.messageExpression`, shown, each.messageProblem));
  } else if (each.messageMostCost !== undefined) {
    costs.observe(field, 'messageExpression', each.messageMostCost);
  }
}

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
