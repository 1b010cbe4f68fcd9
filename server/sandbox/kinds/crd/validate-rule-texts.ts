import { invalid } from '@/lib/schema/field-error';
import type { JsonSchema, ValidationRule } from '@/lib/schema/json-schema';
import { compileRules } from '../../cel/compile-rule';
import { asInternal } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { forEachPart } from './schema-parts';

/** The rules of a schema: their texts, types, and that old values can be found (apiextensions schema/cel). */
export function validateRuleTexts(schema: JsonSchema, path: string, faults: Faults): void {
  visit(schema, path, { isRoot: true, correlates: true }, faults);
}

interface Place {
  readonly isRoot: boolean;
  /** The value of an update can be found in the old object. */
  readonly correlates: boolean;
}

function visit(schema: JsonSchema, path: string, place: Place, faults: Faults): void {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const compiled = rules.length === 0 ? [] : compileRules(schema, place.isRoot);
  for (const [index, each] of compiled.entries()) {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    validateTexts(each.rule, field, faults);
    if (each.rule.rule.trim() === '') continue;
    const shown = asInternal({ ...each.rule });
    if (each.problem !== undefined) faults.push(invalid(`${field}.rule`, shown, each.problem));
    if (each.messageProblem !== undefined) {
      faults.push(invalid(`${field}.messageExpression`, shown, each.messageProblem));
    }
    if (each.isTransition && !place.correlates) {
      const text = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      faults.push(invalid(`${field}.rule`, each.rule.rule, `${text} ${path}`));
    }
  }
  const listIsMap = schema['x-kubernetes-list-type'] === 'map';
  forEachPart(schema, path, (part, partPath) => {
    const isItem = part === schema.items;
    const correlates = place.correlates && (!isItem || listIsMap);
    visit(part, partPath, { isRoot: false, correlates }, faults);
  });
}

function validateTexts(rule: ValidationRule, field: string, faults: Faults): void {
  const { message } = rule;
  if (message?.trim().includes('\n')) {
    faults.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
  }
}
