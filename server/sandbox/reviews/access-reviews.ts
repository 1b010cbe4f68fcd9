import { getAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest, invalid } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate } from '../exchange/negotiation';
import { readObject } from '../exchange/parse-object';
import { writeContext } from '../exchange/write-options';
import type { FieldError } from '../kinds/base/strategy';
import type { Attributes } from '../rbac/attributes';
import type { PolicyRule } from '../rbac/rbac';
import type { ResourceRequest } from '../rbac/request-info';
import type { UserInfo } from '../rbac/user';
import type { ResourceInfo } from '../registry/resource-info';

/** SubjectAccessReview, its self and local forms (Kubernetes pkg/registry/authorization). */
export async function serveAccessReview(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  request: ResourceRequest,
): Promise<void> {
  const accepted = negotiate(exchange.request);
  const review = await readObject(exchange, info, writeContext(exchange, 'CreateOptions', undefined));
  const isSelf = info.kind === 'SelfSubjectAccessReview';
  const spec = objectAt(review, 'spec');
  const errors = [...reviewErrors(spec, isSelf), ...metadataErrors(review)];
  if (errors.length > 0) throw invalid({ group: info.group, kind: '' }, '', errors);
  if (info.kind === 'LocalSubjectAccessReview') checkNamespace(spec, request.namespace ?? '', review);
  const user = isSelf ? exchange.user : userOf(spec);
  const decision = core.authority.rbac.decide(user, attributesOf(spec));
  const status: JsonObject = { allowed: decision.allowed };
  if (decision.reason !== '') status.reason = decision.reason;
  sendJson(exchange, 201, JSON.stringify({ ...review, status }), accepted);
}

/** SelfSubjectRulesReview: every rule that the asking user has in a namespace. */
export async function serveRulesReview(core: SandboxCore, exchange: Exchange, info: ResourceInfo): Promise<void> {
  const accepted = negotiate(exchange.request);
  const review = await readObject(exchange, info, writeContext(exchange, 'CreateOptions', undefined));
  const namespace = stringAt(review, 'spec', 'namespace') ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const rules = core.authority.rbac.rulesOf(exchange.user, namespace);
  const status = {
    incomplete: false,
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    resourceRules: rules.filter((rule) => rule.nonResourceURLs.length === 0).map(resourceRule),
  };
  sendJson(exchange, 201, JSON.stringify({ ...review, spec: {}, status }), accepted);
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) };
}

function reviewErrors(spec: JsonObject, isSelf: boolean): FieldError[] {
  const resource = getAt(spec, 'resourceAttributes');
  const path = getAt(spec, 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (isJsonObject(resource) && isJsonObject(path)) {
    const shown = JSON.stringify({ Path: stringAt(path, 'path') ?? '', Verb: stringAt(path, 'verb') ?? '' });
    const message = `Invalid value: ${shown}: cannot be specified in combination with resourceAttributes`;
    errors.push({ field: 'spec.nonResourceAttributes', type: 'FieldValueInvalid', message });
  }
  if (!isJsonObject(resource) && !isJsonObject(path)) {
    const message = 'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push({ field: 'spec.resourceAttributes', type: 'FieldValueInvalid', message });
  }
  const groups = getAt(spec, 'groups');
  if (!isSelf && (stringAt(spec, 'user') ?? '') === '' && (!Array.isArray(groups) || groups.length === 0)) {
    const message = 'Invalid value: "": at least one of user or group must be specified';
    errors.push({ field: 'spec.user', type: 'FieldValueInvalid', message });
  }
  return errors;
}

/** A review is not kept and has no name; a local one has its namespace. */
function metadataErrors({ kind, metadata }: KubeObject): FieldError[] {
  const isLocal = kind === 'LocalSubjectAccessReview';
  const others = Object.entries(metadata).filter(
    ([key, value]) => value !== null && key !== 'managedFields' && !(isLocal && key === 'namespace'),
  );
  if (others.length === 0) return [];
  const rule = isLocal ? 'must be empty except for namespace' : 'must be empty';
  const message = `Invalid value: ${JSON.stringify(metadata)}: ${rule}`;
  return [{ field: 'metadata', type: 'FieldValueInvalid', message }];
}

function checkNamespace(spec: JsonObject, namespace: string, review: KubeObject): void {
  const asked = stringAt(spec, 'resourceAttributes', 'namespace') ?? '';
  if (asked !== namespace) {
    throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', [
      {
        field: 'spec.resourceAttributes.namespace',
        type: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(asked)}: must match metadata.namespace`,
      },
    ]);
  }
  review.metadata.namespace = namespace;
}

function userOf(spec: JsonObject): UserInfo {
  const groups = getAt(spec, 'groups');
  return {
    name: stringAt(spec, 'user') ?? '',
    uid: stringAt(spec, 'uid') ?? '',
    groups: Array.isArray(groups) ? groups.map(String) : [],
    extra: {},
  };
}

function attributesOf(spec: JsonObject): Attributes {
  const path = getAt(spec, 'nonResourceAttributes');
  if (isJsonObject(path))
    return { verb: stringAt(path, 'verb') ?? '', path: stringAt(path, 'path') ?? '', resource: undefined };
  const resource = objectAt(spec, 'resourceAttributes');
  const text = (key: string): string => stringAt(resource, key) ?? '';
  return {
    verb: text('verb'),
    path: '',
    resource: {
      group: text('group'),
      resource: text('resource'),
      subresource: text('subresource'),
      namespace: text('namespace'),
      name: text('name'),
    },
  };
}
