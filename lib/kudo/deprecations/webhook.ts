import { arrayAt, isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/**
 * admissionregistration v1 requires `sideEffects` and `admissionReviewVersions` and has other defaults. The old defaults
 * are set explicitly, so that the webhook keeps its behaviour.
 */
export function toWebhookV1(object: KubeObject): string | undefined {
  const unknown: string[] = [];
  for (const webhook of arrayAt(object, 'webhooks')) {
    if (!isJsonObject(webhook)) continue;
    webhook.admissionReviewVersions ??= ['v1beta1'];
    webhook.failurePolicy ??= 'Ignore';
    webhook.matchPolicy ??= 'Exact';
    webhook.timeoutSeconds ??= 30;
    if (webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun') {
      webhook.sideEffects = 'None';
      unknown.push(String(webhook.name ?? ''));
    }
  }
  return unknown.length === 0 ? undefined : `webhook ${unknown.join(', ')} is taken to have no side effects`;
}
