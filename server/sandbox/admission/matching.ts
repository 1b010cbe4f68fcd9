import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden } from '../errors/status';
import type { UserInfo } from '../rbac/user';
import type { AdmissionRequest } from '../registry/admission-gate';
import type { ResourceInfo } from '../registry/resource-info';
import { matchesLabelSelector } from '../selectors/selector';
import type { Webhook, WebhookRule } from './webhook';

/** Finds the labels of a namespace; undefined when there is no such namespace. */
export type NamespaceLabels = (namespace: string) => { readonly [key: string]: string } | undefined;

/** Kubernetes never sends these to webhooks: a webhook could lock everybody out of its own configuration. */
const EXEMPT_GROUP = 'admissionregistration.k8s.io';

/** Who asks, and how to find a namespace's labels. */
export interface Circumstances {
  readonly user: Pick<UserInfo, 'name' | 'groups'>;
  readonly labelsOf: NamespaceLabels;
}

/** True when some write to a resource or subresource may concern the webhook: its rules name it. */
export function looksAt(webhook: Webhook, info: ResourceInfo, subresource: string | undefined): boolean {
  return info.group !== EXEMPT_GROUP && webhook.rules.some((rule) => covers(rule, info, subresource, webhook.isExact));
}

/**
 * True when the webhook's rules, selectors and conditions fit the request (apiserver admission/plugin/webhook/generic).
 *
 * @throws StatusError 403 for a condition that cannot be evaluated under `failurePolicy: Fail`
 */
export function concerns(webhook: Webhook, request: AdmissionRequest, { user, labelsOf }: Circumstances): boolean {
  const { info, operation, subresource } = request;
  if (info.group === EXEMPT_GROUP) return false;
  const fits = (rule: WebhookRule) =>
    includes(rule.operations, operation) && covers(rule, info, subresource, webhook.isExact);
  if (!webhook.rules.some(fits)) return false;
  if (!fitsNamespace(webhook, request, labelsOf) || !fitsObject(webhook, request)) return false;
  return webhook.conditions.length === 0 || fitsConditions(webhook, request, user);
}

/** One condition that does not hold decides, also beside one that cannot be evaluated. */
function fitsConditions(webhook: Webhook, request: AdmissionRequest, user: Circumstances['user']): boolean {
  const { info, operation, namespace = '', name, subresource = '' } = request;
  const variables = {
    object: asJson(request.object),
    oldObject: asJson(request.old),
    request: {
      ...{ operation, namespace, name, subResource: subresource },
      kind: { group: info.group, version: info.version, kind: info.kind },
      resource: { group: info.group, version: info.version, resource: info.resource },
      userInfo: { username: user.name, groups: [...user.groups] },
    },
  };
  let problem: string | undefined;
  for (const condition of webhook.conditions) {
    try {
      if (!condition(variables)) return false;
    } catch (error) {
      problem = messageOf(error);
    }
  }
  if (problem !== undefined && !webhook.ignoresFailure) throw forbidden(info, name, problem);
  return problem === undefined;
}

function asJson(object: KubeObject | undefined): JsonObject | null {
  return object === undefined ? null : (object as unknown as JsonObject);
}

export function includes(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** True when a rule names the resource or subresource. */
export function covers(
  rule: WebhookRule,
  info: ResourceInfo,
  subresource: string | undefined,
  isExact: boolean,
): boolean {
  if (!includes(rule.groups, info.group)) return false;
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
