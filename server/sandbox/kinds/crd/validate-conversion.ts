import type { JsonObject } from '@/lib/json/json';
import { required } from '@/lib/schema/field-error';
import { objectOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

/** `spec.conversion` (apiextensions validateCustomResourceConversion); places are those of the internal object. */
export function validateConversion(crd: JsonObject, faults: Faults): void {
  const conversion = objectOf(objectOf(crd, 'spec'), 'conversion');
  if (conversion === undefined) return;
  if (textOf(conversion, 'strategy') !== 'Webhook') return;
  const webhook = objectOf(conversion, 'webhook');
  if (objectOf(webhook, 'clientConfig') === undefined) {
    faults.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'));
  }
  if (textsOf(webhook, 'conversionReviewVersions').length === 0) {
    faults.push(required('spec.conversion.conversionReviewVersions'));
  }
}
