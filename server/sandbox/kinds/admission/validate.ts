import type { JsonObject } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkOneOf } from '../validation/numbers';
import { validateClient } from './validate-client';

/** Webhook configurations (Kubernetes pkg/apis/admissionregistration/validation). */
export function validateWebhooks(object: JsonObject, faults: Faults): void {
  for (const [index, webhook] of objectsOf(object, 'webhooks').entries()) {
    const field = `webhooks[${index}]`;
    const name = textOf(webhook, 'name');
    validateName(name, `${field}.name`, faults);
    const versions = textsOf(webhook, 'admissionReviewVersions');
    if (versions.length === 0) {
      faults.push(required(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
    }
    checkOneOf(webhook.failurePolicy, `${field}.failurePolicy`, ['Fail', 'Ignore'], faults);
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
    validateClient(objectOf(webhook, 'clientConfig') ?? {}, `${field}.clientConfig`, faults);
  }
}

function validateName(name: string, field: string, faults: Faults): void {
  if (name === '') faults.push(required(field));
  else if (name.split('.').length < 3) {
    faults.push(invalid(field, name, 'should be a domain with at least three segments separated by dots'));
  }
}
