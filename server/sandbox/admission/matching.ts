import { matchesLabelSelector } from '@/lib/kube/selector';
import type { AdmissionRequest } from './gate';
import type { Webhook, WebhookRule } from './webhook';

/** Finds the labels of a namespace; undefined when there is no such namespace. */
export type NamespaceLabels = (namespace: string) => { readonly [key: string]: string } | undefined;

/** Kubernetes never sends these to webhooks: a webhook could lock everybody out of its own configuration. */
const EXEMPT_GROUP = 'admissionregistration.k8s.io';

/** True when the webhook's rules and selectors fit the request (apiserver admission/plugin/webhook/generic). */
export function concerns(webhook: Webhook, request: AdmissionRequest, labelsOf: NamespaceLabels): boolean {
  if (request.info.group === EXEMPT_GROUP) return false;
  if (!webhook.rules.some((rule) => fits(rule, request, webhook.isExact))) return false;
  return fitsNamespace(webhook, request, labelsOf) && fitsObject(webhook, request);
}

function fits(rule: WebhookRule, { operation, info, subresource }: AdmissionRequest, isExact: boolean): boolean {
  const includes = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);
  if (!includes(rule.operations, operation) || !includes(rule.groups, info.group)) return false;
  if (isExact && !includes(rule.versions, info.version)) return false;
  if (rule.scope === 'Namespaced' && !info.namespaced) return false;
  if (rule.scope === 'Cluster' && info.namespaced) return false;
  return rule.resources.some((pattern) => fitsResource(pattern, info.resource, subresource));
}

function fitsResource(pattern: string, resource: string, subresource: string | undefined): boolean {
  const [wantedResource = '', wantedSubresource] = pattern.split('/');
  if (wantedResource !== '*' && wantedResource !== resource) return false;
  if (subresource === undefined) return wantedSubresource === undefined || pattern === '*/*';
  return wantedSubresource === '*' || wantedSubresource === subresource;
}

function fitsNamespace(
  webhook: Webhook,
  { info, namespace, object, old }: AdmissionRequest,
  labelsOf: NamespaceLabels,
): boolean {
  if (info.group === '' && info.resource === 'namespaces') {
    return matchesLabelSelector(webhook.namespaceSelector, (object ?? old)?.metadata.labels);
  }
  if (namespace === undefined) return true;
  return matchesLabelSelector(webhook.namespaceSelector, labelsOf(namespace));
}

function fitsObject({ objectSelector }: Webhook, { object, old }: AdmissionRequest): boolean {
  return [object, old].some((each) => each !== undefined && matchesLabelSelector(objectSelector, each.metadata.labels));
}
