import type { JsonObject } from '@/lib/json/json';
import { dnsLabel1035Problems } from '@/lib/kube/label-syntax';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { objectOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';

const REVIEWS = ['v1', 'v1beta1'];

/** `spec.conversion` (apiextensions validateCustomResourceConversion); places are those of the internal object. */
export function validateConversion(crd: JsonObject, faults: Faults): void {
  const conversion = objectOf(objectOf(crd, 'spec'), 'conversion');
  if (conversion === undefined) return;
  const strategy = textOf(conversion, 'strategy');
  if (strategy !== 'None' && strategy !== 'Webhook') {
    faults.push(notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook']));
  }
  const webhook = objectOf(conversion, 'webhook');
  const client = objectOf(webhook, 'clientConfig');
  const versions = textsOf(webhook, 'conversionReviewVersions');
  const field = 'spec.conversion.webhookClientConfig';
  if (strategy === 'Webhook') {
    if (client === undefined) faults.push(required(field, 'required when strategy is set to Webhook'));
    else if ((client.url === undefined) === (client.service === undefined)) {
      faults.push(required(field, 'exactly one of url or service is required'));
    }
    validateReviews(versions, 'spec.conversion.conversionReviewVersions', faults);
    return;
  }
  const text = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) faults.push(forbidden(field, text));
  if (versions.length > 0) faults.push(forbidden('spec.conversion.conversionReviewVersions', text));
}

function validateReviews(versions: readonly string[], field: string, faults: Faults): void {
  if (versions.length === 0) {
    faults.push(required(field));
    return;
  }
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) {
      faults.push(invalid(`${field}[${index}]`, version, 'duplicate version'));
      continue;
    }
    for (const problem of dnsLabel1035Problems(version)) faults.push(invalid(`${field}[${index}]`, version, problem));
  }
  if (!versions.some((version) => REVIEWS.includes(version))) {
    faults.push(invalid(field, versions, `must include at least one of ${REVIEWS.join(', ')}`));
  }
}
