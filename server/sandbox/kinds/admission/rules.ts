import type { JsonObject } from '@/lib/json/json';
import { fill, objectOf, objectsOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import type { KindRules } from '../base/kind-rules';

const GROUP = 'admissionregistration.k8s.io';

function defaultWebhook(webhook: JsonObject): void {
  fill(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  fill(objectOf(objectOf(webhook, 'clientConfig'), 'service'), { port: 443 });
  for (const rule of objectsOf(webhook, 'rules')) fill(rule, { scope: '*' });
}

/** Webhook configurations (Kubernetes pkg/apis/admissionregistration/validation). */
function validateWebhooks(object: CheckedField): void {
  for (const webhook of object.at('webhooks').items) {
    webhook.at('name').name(nameProblems);
    const versions = webhook.at('admissionReviewVersions');
    if (versions.items.length === 0) versions.required('must specify one of v1, v1beta1');
    webhook.at('failurePolicy').oneOf(['Fail', 'Ignore']);
    const effects = webhook.at('sideEffects');
    if (!effects.isGiven) effects.required('must specify one of None, NoneOnDryRun');
    effects.oneOf(['None', 'NoneOnDryRun']);
    const timeout = webhook.at('timeoutSeconds');
    const seconds = timeout.number ?? 10;
    if (seconds < 1 || seconds > 30) timeout.invalid('the timeout value must be between 1 and 30 seconds');
    const client = webhook.at('clientConfig');
    if (client.given('url', 'service').length !== 1) client.required('exactly one of url or service is required');
    else if (client.at('url').isGiven) validateUrl(client.at('url'));
  }
}

function nameProblems(name: string): string[] {
  return name.split('.').length < 3 ? ['should be a domain with at least three segments separated by dots'] : [];
}

function validateUrl(url: CheckedField): void {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(url.text)?.[0] ?? '';
  if (scheme === 'https') return;
  url.invalid("'https' is the only allowed URL scheme; desired format: https://host[/path]", scheme);
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
