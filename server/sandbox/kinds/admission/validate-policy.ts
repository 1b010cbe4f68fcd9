import type { JsonObject } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import type { CompiledExpression } from '@/lib/schema/cel/compile-expression';
import { PolicyCompiler } from '@/lib/schema/cel/policy-compiler';
import { duplicate, forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';
import { checkLabelSelector } from '../validation/selectors';
import { validateRules } from './validate';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];

/** A ValidatingAdmissionPolicy (Kubernetes pkg/apis/admissionregistration/validation validateValidatingAdmissionPolicySpec). */
export function validatePolicy(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkOneOf(spec.failurePolicy, 'spec.failurePolicy', ['Fail', 'Ignore'], faults);
  const paramKind = objectOf(spec, 'paramKind');
  for (const key of paramKind === undefined ? [] : ['apiVersion', 'kind']) {
    if (textOf(paramKind, key) === '') faults.push(required(`spec.paramKind.${key}`));
  }
  const match = objectOf(spec, 'matchConstraints');
  if (match === undefined) faults.push(required('spec.matchConstraints'));
  else {
    if (objectsOf(match, 'resourceRules').length === 0) faults.push(required('spec.matchConstraints.resourceRules'));
    validateMatch(match, 'spec.matchConstraints', faults);
  }
  const compiler = new PolicyCompiler(paramKind !== undefined);
  validateNamed(spec, 'matchConditions', (_name, text) => compiler.condition(text), faults);
  validateNamed(spec, 'variables', (name, text) => compiler.variable(name, text), faults);
  const validations = objectsOf(spec, 'validations');
  if (validations.length === 0 && objectsOf(spec, 'auditAnnotations').length === 0) {
    faults.push(required('spec.validations', 'validations or auditAnnotations must be non-empty'));
  }
  for (const [index, validation] of validations.entries()) {
    validateValidation(validation, `spec.validations[${index}]`, compiler, faults);
  }
}

function validateMatch(match: JsonObject, path: string, faults: Faults): void {
  checkOneOf(match.matchPolicy, `${path}.matchPolicy`, ['Equivalent', 'Exact'], faults);
  checkLabelSelector(objectOf(match, 'namespaceSelector'), `${path}.namespaceSelector`, faults);
  checkLabelSelector(objectOf(match, 'objectSelector'), `${path}.objectSelector`, faults);
  for (const key of ['resourceRules', 'excludeResourceRules']) {
    validateRules(objectsOf(match, key), `${path}.${key}`, faults);
  }
}

function validateNamed(
  spec: JsonObject,
  key: 'matchConditions' | 'variables',
  compile: (name: string, text: string) => CompiledExpression,
  faults: Faults,
): void {
  const names = new Set<string>();
  for (const [index, each] of objectsOf(spec, key).entries()) {
    const path = `spec.${key}[${index}]`;
    const name = textOf(each, 'name');
    if (name === '') faults.push(required(`${path}.name`));
    else if (key === 'variables' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      faults.push(invalid(`${path}.name`, name, 'name is not a valid CEL identifier'));
    }
    if (names.has(name)) faults.push(duplicate(`${path}.name`, name));
    names.add(name);
    validateExpression(each.expression, `${path}.expression`, (text) => compile(name, text), faults);
  }
}

function validateValidation(validation: JsonObject, path: string, compiler: PolicyCompiler, faults: Faults): void {
  validateExpression(validation.expression, `${path}.expression`, (text) => compiler.compile(text, 'bool'), faults);
  const message = textOf(validation, 'message');
  if (message !== '' && message.trim() === '') {
    faults.push(invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (message.trim().includes('\n')) {
    faults.push(invalid(`${path}.message`, message, 'message must not contain line breaks'));
  } else if (message === '' && textOf(validation, 'expression').trim().includes('\n')) {
    faults.push(required(`${path}.message`, 'message must be specified if expression contains line breaks'));
  }
  if (textOf(validation, 'messageExpression') !== '') {
    validateExpression(
      validation.messageExpression,
      `${path}.messageExpression`,
      (text) => compiler.message(text),
      faults,
    );
  }
  const reason = textOf(validation, 'reason');
  if (reason !== '' && !REASONS.includes(reason)) faults.push(notSupported(`${path}.reason`, reason, REASONS));
}

function validateExpression(
  expression: unknown,
  path: string,
  compile: (text: string) => CompiledExpression,
  faults: Faults,
): void {
  const text = typeof expression === 'string' ? expression.trim() : '';
  if (text === '') {
    faults.push(required(path, 'expression is not specified'));
    return;
  }
  const { problem } = compile(text);
  if (problem !== undefined) faults.push(invalid(path, text, problem));
}

/** A ValidatingAdmissionPolicyBinding. */
export function validateBinding(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const policy = textOf(spec, 'policyName');
  if (policy === '') faults.push(required('spec.policyName'));
  else for (const problem of subdomainProblems(policy)) faults.push(invalid('spec.policyName', policy, problem));
  const reference = objectOf(spec, 'paramRef');
  if (reference !== undefined) validateReference(reference, faults);
  const match = objectOf(spec, 'matchResources');
  if (match !== undefined) validateMatch(match, 'spec.matchResources', faults);
  validateActions(textsOf(spec, 'validationActions'), faults);
}

function validateReference(reference: JsonObject, faults: Faults): void {
  const hasName = textOf(reference, 'name') !== '';
  const hasSelector = reference.selector !== undefined;
  if (hasName && hasSelector) {
    faults.push(forbidden('spec.paramRef.name', 'name and selector are mutually exclusive'));
  } else if (!hasName && !hasSelector) {
    faults.push(required('spec.paramRef', 'one of name or selector must be specified'));
  }
  checkLabelSelector(objectOf(reference, 'selector'), 'spec.paramRef.selector', faults);
  const action = textOf(reference, 'parameterNotFoundAction');
  const path = 'spec.paramRef.parameterNotFoundAction';
  if (action === '') faults.push(required(path));
  else checkOneOf(action, path, ['Allow', 'Deny'], faults);
}

function validateActions(actions: readonly string[], faults: Faults): void {
  const path = 'spec.validationActions';
  if (actions.length === 0) faults.push(required(path));
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) faults.push(notSupported(`${path}[${index}]`, action, ACTIONS));
    if (actions.indexOf(action) < index) faults.push(duplicate(`${path}[${index}]`, action));
  }
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const text =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    faults.push(invalid(path, actions, text));
  }
}
