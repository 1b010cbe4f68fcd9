import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { serviceRules } from './service-rules';
import { validateIngress } from './validate-ingress';

function defaultNetworkPolicy(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  const rules = [...objectsOf(spec, 'ingress'), ...objectsOf(spec, 'egress')];
  for (const rule of rules) for (const port of objectsOf(rule, 'ports')) fill(port, { protocol: 'TCP' });
  if (spec.policyTypes !== undefined) return;
  spec.policyTypes = spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
}

/** An Ingress without a class gets the newest default one (admission plugin DefaultIngressClass). */
function setIngressClass(ingress: JsonObject, { list }: StrategyContext): void {
  const spec = ensureObject(ingress, 'spec');
  const annotations = objectOf(objectOf(ingress, 'metadata'), 'annotations');
  if (spec.ingressClassName !== undefined || annotations?.['kubernetes.io/ingress.class'] !== undefined) return;
  const newest = [...(list?.({ group: 'networking.k8s.io', resource: 'ingressclasses' }) ?? [])]
    .filter(({ metadata }) => metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true')
    .map(({ metadata: { name = '', creationTimestamp } }) => ({ name, made: String(creationTimestamp ?? '') }))
    .sort((a, b) => b.made.localeCompare(a.made) || a.name.localeCompare(b.name))[0];
  if (newest !== undefined) spec.ingressClassName = newest.name;
}

/** The rules of Services, Ingresses, NetworkPolicies and EndpointSlices. */
export const networkRules: { readonly [kind: string]: KindRules } = {
  '/Service': serviceRules,
  'networking.k8s.io/Ingress': {
    hasGeneration: true,
    validate: validateIngress,
    prepareCreate: (ingress, context) => setIngressClass(ingress, context),
  },
  'networking.k8s.io/IngressClass': {
    hasGeneration: true,
    defaults(object) {
      fill(objectOf(objectOf(object, 'spec'), 'parameters'), { scope: 'Cluster' });
    },
  },
  'networking.k8s.io/NetworkPolicy': {
    hasGeneration: true,
    defaults: defaultNetworkPolicy,
  },
  'discovery.k8s.io/EndpointSlice': {
    hasGeneration: true,
    generationOf: ['endpoints', 'ports', 'addressType'],
    defaults(object) {
      for (const port of objectsOf(object, 'ports')) fill(port, { name: '', protocol: 'TCP' });
    },
  },
};
