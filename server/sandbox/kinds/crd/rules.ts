import { type KindRules, WHOLE_METADATA } from '../base/kind-rules';
import { defaultDefinition, newStatus, rememberStorageVersion } from './crd-defaults';
import { validateFixedNames, validateNames, validateOwnName } from './validate-names';
import { validateVersions } from './validate-versions';

/** The rules of CustomResourceDefinitions; conditions and accepted names are set by the definition controller. */
export const crdRules: { readonly [kind: string]: KindRules } = {
  'apiextensions.k8s.io/CustomResourceDefinition': {
    hasGeneration: true,
    keptByStatus: WHOLE_METADATA,
    defaults: defaultDefinition,
    prepareCreate(crd) {
      crd.status = newStatus(crd);
    },
    prepareUpdate(crd, _old, { subresource }) {
      if (subresource === undefined) rememberStorageVersion(crd);
    },
    validate(crd) {
      validateNames(crd);
      validateVersions(crd);
    },
    validateCreate: validateOwnName,
    validateUpdate: validateFixedNames,
  },
};
