import { labelValueProblems, qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { matchesLabelSelector } from '../../selectors/selector';
import type { CheckedField } from '../base/checked-field';

/** Keys and values of a map of labels. */
export function checkLabels(labels: CheckedField): void {
  for (const [key, value] of Object.entries(labels.object)) {
    for (const problem of qualifiedNameProblems(key)) labels.invalid(problem, key);
    for (const problem of labelValueProblems(String(value))) labels.invalid(problem, value);
  }
}

/** A metav1.LabelSelector. */
export function checkLabelSelector(selector: CheckedField): void {
  checkLabels(selector.at('matchLabels'));
  checkExpressions(selector, OBJECT_OPERATORS);
}

/** How many values an operator takes. */
const OBJECT_OPERATORS: Operators = { In: 'some', NotIn: 'some', Exists: 'none', DoesNotExist: 'none' };
const NODE_OPERATORS: Operators = { ...OBJECT_OPERATORS, Gt: 'one', Lt: 'one' };
type Operators = { readonly [operator: string]: 'some' | 'none' | 'one' };

function checkExpressions(selector: CheckedField, operators: Operators): void {
  for (const expression of selector.at('matchExpressions').items) {
    const operator = expression.at('operator');
    const values = expression.at('values');
    const wanted = operators[operator.text];
    const count = values.items.length;
    if (wanted === undefined) operator.invalid('not a valid selector operator', operator.text);
    if (wanted === 'some' && count === 0) values.required("must be specified when `operator` is 'In' or 'NotIn'");
    if (wanted === 'none' && count > 0) {
      values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
    if (wanted === 'one' && count !== 1) {
      values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
    expression.at('key').check(qualifiedNameProblems);
  }
}

/** The selector and the labels of a template, which it must select. */
export function checkSelected(spec: CheckedField): void {
  const selector = spec.at('selector');
  const labels = spec.at('template', 'metadata', 'labels');
  if (selector.isGiven && matchesLabelSelector(selector.object, labels.object as { [key: string]: string })) return;
  labels.invalid('`selector` does not match template `labels`');
}

/**
 * The selector of a workload and the labels of its template. False when the selector is none: the API then does not
 * validate the template.
 */
export function checkWorkloadSelector(spec: CheckedField, noun: string): boolean {
  const selector = spec.at('selector');
  if (!selector.isGiven) selector.required();
  else if (Object.keys(selector.object).length === 0) {
    selector.invalid(`empty selector is invalid for ${noun}`);
    return true;
  } else {
    const before = spec.faults.length;
    checkLabelSelector(selector);
    if (spec.faults.length > before) {
      selector.invalid('invalid label selector');
      return false;
    }
  }
  checkSelected(spec);
  return true;
}

/** A NodeSelector of affinities and volumes. */
export function checkNodeSelector(selector: CheckedField): void {
  if (!selector.isGiven) return;
  const terms = selector.at('nodeSelectorTerms');
  if (terms.items.length === 0) terms.required('must have at least one node selector term');
  for (const term of terms.items) checkExpressions(term, NODE_OPERATORS);
}
