import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { labelValueProblems, qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { matchesLabelSelector } from '../../selectors/selector';
import { objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

/** Keys and values of a map of labels. */
export function checkLabels(labels: JsonValue | undefined, path: string, faults: Faults): void {
  if (!isJsonObject(labels)) return;
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(path, key, problem));
    for (const problem of labelValueProblems(String(value))) faults.push(invalid(path, value, problem));
  }
}

/** A metav1.LabelSelector. */
export function checkLabelSelector(selector: JsonObject | undefined, path: string, faults: Faults): void {
  if (selector === undefined) return;
  checkLabels(selector.matchLabels, `${path}.matchLabels`, faults);
  for (const [index, expression] of objectsOf(selector, 'matchExpressions').entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    const operator = textOf(expression, 'operator');
    const values = textsOf(expression, 'values');
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        faults.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        faults.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      }
    } else faults.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
    const key = textOf(expression, 'key');
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${field}.key`, key, problem));
  }
}

/**
 * The selector of a workload and the labels of its template, which it must select. False when the selector is none:
 * the API then does not validate the template.
 */
export function checkWorkloadSelector(spec: JsonObject, noun: string, faults: Faults): boolean {
  const before = faults.length;
  const selector = objectOf(spec, 'selector');
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels');
  if (selector === undefined) faults.push(required('spec.selector'));
  else {
    checkLabelSelector(selector, 'spec.selector', faults);
    if (Object.keys(selector).length === 0) {
      faults.push(invalid('spec.selector', selector, `empty selector is invalid for ${noun}`));
    }
  }
  if (selector !== undefined && Object.keys(selector).length === 0) return true;
  if (selector !== undefined && faults.length > before) {
    faults.push(invalid('spec.selector', selector, 'invalid label selector'));
    return false;
  }
  if (selector === undefined || !matchesLabelSelector(selector, labels as { [key: string]: string } | undefined)) {
    faults.push(
      invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    );
  }
  return true;
}

const NODE_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

/** A NodeSelector of affinities and volumes. */
export function checkNodeSelector(selector: JsonObject | undefined, path: string, faults: Faults): void {
  if (selector === undefined) return;
  const terms = objectsOf(selector, 'nodeSelectorTerms');
  if (terms.length === 0) {
    faults.push(required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term'));
  }
  for (const [index, term] of terms.entries()) {
    checkNodeSelectorTerm(term, `${path}.nodeSelectorTerms[${index}]`, faults);
  }
}

/** One term of a node selector: by labels, and by the name of the node. */
export function checkNodeSelectorTerm(term: JsonObject, path: string, faults: Faults): void {
  for (const [at, expression] of objectsOf(term, 'matchExpressions').entries()) {
    const field = `${path}.matchExpressions[${at}]`;
    const operator = textOf(expression, 'operator');
    if (!NODE_OPERATORS.includes(operator)) {
      faults.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
    }
    checkNodeValues(operator, textsOf(expression, 'values').length, `${field}.values`, faults);
    const key = textOf(expression, 'key');
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${field}.key`, key, problem));
  }
  for (const [at, expression] of objectsOf(term, 'matchFields').entries()) {
    checkNodeField(expression, `${path}.matchFields[${at}]`, faults);
  }
}

/** Of a node only its name can be asked for, one at a time. */
function checkNodeField(expression: JsonObject, path: string, faults: Faults): void {
  const operator = textOf(expression, 'operator');
  const values = textsOf(expression, 'values');
  if (operator !== 'In' && operator !== 'NotIn') {
    faults.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const text = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    faults.push(required(`${path}.values`, text));
  }
  const key = textOf(expression, 'key');
  if (key !== 'metadata.name') {
    faults.push(invalid(`${path}.key`, key, 'not a valid field selector key'));
    return;
  }
  for (const [at, value] of values.entries()) {
    for (const problem of subdomainProblems(value)) faults.push(invalid(`${path}.values[${at}]`, value, problem));
  }
}

function checkNodeValues(operator: string, count: number, field: string, faults: Faults): void {
  const isSet = operator === 'In' || operator === 'NotIn';
  if (isSet && count === 0) faults.push(required(field, "must be specified when `operator` is 'In' or 'NotIn'"));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    faults.push(forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  if ((operator === 'Gt' || operator === 'Lt') && count !== 1) {
    faults.push(required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  }
}

/** A set of texts of which each must be one of those. */
export function checkEachOneOf(
  values: readonly string[],
  path: string,
  supported: readonly string[],
  faults: Faults,
): void {
  for (const value of values) if (!supported.includes(value)) faults.push(notSupported(path, value, supported));
}
