import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../access';
import type { KindRules } from '../kind-rules';
import { validateWebhooks } from './validate';
import { validateBinding, validatePolicy } from './validate-policy';

const GROUP = 'admissionregistration.k8s.io';

function defaultWebhook(webhook: JsonObject): void {
  fill(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const service = objectOf(objectOf(webhook, 'clientConfig'), 'service');
  if (service !== undefined) fill(service, { port: 443 });
  for (const rule of objectsOf(webhook, 'rules')) fill(rule, { scope: '*' });
}

function defaultMatch(match: JsonObject): void {
  fill(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  for (const rule of [...objectsOf(match, 'resourceRules'), ...objectsOf(match, 'excludeResourceRules')]) {
    fill(rule, { scope: '*' });
  }
}

/** The rules of webhook configurations and admission policies. */
export const admissionRules: { readonly [kind: string]: KindRules } = {
  [`${GROUP}/ValidatingWebhookConfiguration`]: {
    hasGeneration: true,
    generationOf: ['webhooks'],
    validate: validateWebhooks,
    defaults(object) {
      for (const webhook of objectsOf(object, 'webhooks')) defaultWebhook(webhook);
    },
  },
  [`${GROUP}/MutatingWebhookConfiguration`]: {
    hasGeneration: true,
    generationOf: ['webhooks'],
    validate: validateWebhooks,
    defaults(object) {
      for (const webhook of objectsOf(object, 'webhooks')) {
        defaultWebhook(webhook);
        fill(webhook, { reinvocationPolicy: 'Never' });
      }
    },
  },
  [`${GROUP}/ValidatingAdmissionPolicy`]: {
    hasGeneration: true,
    validate: validatePolicy,
    defaults(object) {
      const spec = ensureObject(object, 'spec');
      fill(spec, { failurePolicy: 'Fail' });
      const match = objectOf(spec, 'matchConstraints');
      if (match !== undefined) defaultMatch(match);
    },
  },
  [`${GROUP}/ValidatingAdmissionPolicyBinding`]: {
    hasGeneration: true,
    validate: validateBinding,
    defaults(object) {
      const match = objectOf(objectOf(object, 'spec'), 'matchResources');
      if (match !== undefined) defaultMatch(match);
    },
  },
  [`${GROUP}/MutatingAdmissionPolicy`]: { hasGeneration: true },
  [`${GROUP}/MutatingAdmissionPolicyBinding`]: { hasGeneration: true },
};
