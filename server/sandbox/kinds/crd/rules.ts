import { required } from '@/lib/schema/field-error';
import { objectOf, textsOf } from '../access';
import type { Faults, KindRules } from '../kind-rules';
import { defaultDefinition, newStatus, rememberStorageVersion } from './crd-defaults';
import { validateFixedNames, validateNames, validateOwnName } from './validate-names';
import { validateVersions } from './validate-versions';

function validateConversion(crd: Parameters<typeof validateNames>[0], faults: Faults): void {
  const conversion = objectOf(objectOf(crd, 'spec'), 'conversion');
  if (conversion?.strategy !== 'Webhook') return;
  const webhook = objectOf(conversion, 'webhook');
  if (objectOf(webhook, 'clientConfig') === undefined) {
    faults.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'));
  }
  if (textsOf(webhook, 'conversionReviewVersions').length === 0) {
    faults.push(required('spec.conversion.conversionReviewVersions'));
  }
}

/** The rules of CustomResourceDefinitions; conditions and accepted names are set by the definition controller. */
export const crdRules: { readonly [kind: string]: KindRules } = {
  'apiextensions.k8s.io/CustomResourceDefinition': {
    hasGeneration: true,
    defaults: defaultDefinition,
    prepareCreate(crd) {
      crd.status = newStatus(crd);
    },
    prepareUpdate(crd, _old, { subresource }) {
      if (subresource === undefined) rememberStorageVersion(crd);
    },
    validate(crd, faults, { subresource }) {
      if (subresource !== undefined) return;
      validateNames(crd, faults);
      validateVersions(crd, faults);
      validateConversion(crd, faults);
    },
    validateCreate: validateOwnName,
    validateUpdate: validateFixedNames,
  },
};
