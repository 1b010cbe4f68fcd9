import type { JsonObject } from '@/lib/json/json';
import { fill, objectOf, objectsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import { validateWebhooks } from './validate';

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

/** The rules of webhook configurations; admission policies are stored only. */
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
  [`${GROUP}/ValidatingAdmissionPolicy`]: { hasGeneration: true },
  [`${GROUP}/ValidatingAdmissionPolicyBinding`]: { hasGeneration: true },
  [`${GROUP}/MutatingAdmissionPolicy`]: { hasGeneration: true },
  [`${GROUP}/MutatingAdmissionPolicyBinding`]: { hasGeneration: true },
};
