import type { JsonObject } from '@/lib/json/json';
import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';
import { checkLabelSelector } from '../validation/selectors';
import { validateClient } from './validate-client';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** Webhook configurations (Kubernetes pkg/apis/admissionregistration/validation). */
export function validateWebhooks(object: JsonObject, faults: Faults): void {
  const names = new Set<string>();
  for (const [index, webhook] of objectsOf(object, 'webhooks').entries()) {
    const field = `webhooks[${index}]`;
    const name = textOf(webhook, 'name');
    validateName(name, `${field}.name`, faults);
    if (names.has(name))
      faults.push({
        field: `${field}.name`,
        type: 'FieldValueDuplicate',
        message: `Duplicate value: ${JSON.stringify(name)}`,
      });
    names.add(name);
    const versions = textsOf(webhook, 'admissionReviewVersions');
    if (versions.length === 0) {
      faults.push(required(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
    } else if (!versions.some((version) => version === 'v1' || version === 'v1beta1')) {
      const text = 'must include at least one of v1, v1beta1';
      faults.push(invalid(`${field}.admissionReviewVersions`, versions, text));
    }
    for (const [at, version] of versions.entries()) {
      const place = `${field}.admissionReviewVersions[${at}]`;
      for (const problem of dnsLabel1035Problems(version)) faults.push(invalid(place, version, problem));
      if (versions.indexOf(version) < at) faults.push(invalid(place, version, 'duplicate version'));
    }
    validateRules(objectsOf(webhook, 'rules'), `${field}.rules`, faults);
    checkOneOf(webhook.failurePolicy, `${field}.failurePolicy`, ['Fail', 'Ignore'], faults);
    checkOneOf(webhook.matchPolicy, `${field}.matchPolicy`, ['Equivalent', 'Exact'], faults);
    checkOneOf(webhook.reinvocationPolicy, `${field}.reinvocationPolicy`, ['IfNeeded', 'Never'], faults);
    const effects = textOf(webhook, 'sideEffects');
    if (webhook.sideEffects === undefined)
      faults.push(required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
    else if (effects !== 'None' && effects !== 'NoneOnDryRun') {
      faults.push(notSupported(`${field}.sideEffects`, effects, ['None', 'NoneOnDryRun']));
    }
    const timeout = numberOf(webhook, 'timeoutSeconds') ?? 10;
    if (timeout < 1 || timeout > 30) {
      faults.push(invalid(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
    }
    checkLabelSelector(objectOf(webhook, 'namespaceSelector'), `${field}.namespaceSelector`, faults);
    checkLabelSelector(objectOf(webhook, 'objectSelector'), `${field}.objectSelector`, faults);
    validateClient(objectOf(webhook, 'clientConfig') ?? {}, `${field}.clientConfig`, faults);
  }
}

function validateName(name: string, field: string, faults: Faults): void {
  if (name === '') {
    faults.push(required(field));
    return;
  }
  for (const problem of subdomainProblems(name)) faults.push(invalid(field, name, problem));
  if (name.split('.').length < 3) {
    faults.push(invalid(field, name, 'should be a domain with at least three segments separated by dots'));
  }
}

/** Rules of a webhook, or of a policy. */
export function validateRules(rules: readonly JsonObject[], path: string, faults: Faults): void {
  for (const [index, rule] of rules.entries()) {
    const field = `${path}[${index}]`;
    for (const key of ['operations', 'apiGroups', 'apiVersions', 'resources']) {
      if (textsOf(rule, key).length === 0) faults.push(required(`${field}.${key}`));
    }
    for (const [at, operation] of textsOf(rule, 'operations').entries()) {
      if (!OPERATIONS.includes(operation)) {
        faults.push(notSupported(`${field}.operations[${at}]`, operation, OPERATIONS));
      }
    }
    for (const key of ['apiVersions', 'resources']) {
      for (const [at, text] of textsOf(rule, key).entries())
        if (text === '') faults.push(required(`${field}.${key}[${at}]`));
    }
    checkOneOf(rule.scope, `${field}.scope`, ['*', 'Cluster', 'Namespaced'], faults);
  }
}
