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
  const defaults = [...(list?.({ group: 'networking.k8s.io', resource: 'ingressclasses' }) ?? [])]
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .map(({ metadata: { name = '', creationTimestamp = '' } }) => ({
      name,
      creationTimestamp: String(creationTimestamp),
    }))
    .sort((a, b) => compare(b.creationTimestamp, a.creationTimestamp) || compare(a.name, b.name));
  if (defaults[0] !== undefined) spec.ingressClassName = defaults[0].name;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

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
      const parameters = objectOf(objectOf(object, 'spec'), 'parameters');
      if (parameters !== undefined) fill(parameters, { scope: 'Cluster' });
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
