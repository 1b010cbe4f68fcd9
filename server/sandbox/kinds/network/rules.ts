import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../access';
import type { KindRules } from '../kind-rules';
import { serviceRules } from './service-rules';
import {
  validateIngressClass,
  validateIngressClassUpdate,
  validateSlice,
  validateSliceUpdate,
} from './validate-endpoints';
import { validateIngress, validateNetworkPolicy } from './validate-ingress';

function defaultNetworkPolicy(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  const rules = [...objectsOf(spec, 'ingress'), ...objectsOf(spec, 'egress')];
  for (const rule of rules) for (const port of objectsOf(rule, 'ports')) fill(port, { protocol: 'TCP' });
  if (spec.policyTypes !== undefined) return;
  spec.policyTypes = spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
}

/** The rules of Services and what stands around them. */
export const networkRules: { readonly [kind: string]: KindRules } = {
  '/Service': serviceRules,
  'networking.k8s.io/Ingress': { hasGeneration: true, validate: validateIngress },
  'networking.k8s.io/IngressClass': {
    hasGeneration: true,
    validate: validateIngressClass,
    validateUpdate: validateIngressClassUpdate,
    defaults(object) {
      const parameters = objectOf(objectOf(object, 'spec'), 'parameters');
      if (parameters !== undefined) fill(parameters, { scope: 'Cluster' });
    },
  },
  'networking.k8s.io/NetworkPolicy': {
    hasGeneration: true,
    defaults: defaultNetworkPolicy,
    validate: validateNetworkPolicy,
  },
  'discovery.k8s.io/EndpointSlice': {
    hasGeneration: true,
    generationOf: ['endpoints', 'ports', 'addressType'],
    validate: validateSlice,
    validateUpdate: validateSliceUpdate,
    defaults(object) {
      for (const port of objectsOf(object, 'ports')) fill(port, { name: '', protocol: 'TCP' });
    },
  },
};
