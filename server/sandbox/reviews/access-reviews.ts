import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { badRequest, invalidStatus } from '../errors/status';
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

const SELF = 'SelfSubjectAccessReview';
const LOCAL = 'LocalSubjectAccessReview';
const RESOURCE = 'spec.resourceAttributes';
const PATH = 'spec.nonResourceAttributes';

/** SubjectAccessReview, its self and local forms (Kubernetes pkg/registry/authorization). */
export async function serveAccessReview(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  request: ResourceRequest,
): Promise<void> {
  const accepted = negotiate(exchange.request);
  const review = await readObject(exchange, info, writeContext(exchange, 'CreateOptions', undefined));
  const spec = objectAt(review, 'spec');
  const errors = reviewErrors(review, spec);
  if (errors.length > 0) throw invalidStatus({ group: info.group, kind: '' }, '', errors);
  if (info.kind === LOCAL) checkNamespace(spec, request.namespace ?? '', review);
  const user = info.kind === SELF ? exchange.user : userOf(spec);
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

function reviewErrors({ kind, metadata }: KubeObject, spec: JsonObject): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const errors: FieldError[] = [];
  if (isJsonObject(resource) && isJsonObject(path)) {
    const shown = { Path: stringAt(path, 'path') ?? '', Verb: stringAt(path, 'verb') ?? '' };
    errors.push(invalid(PATH, shown, 'cannot be specified in combination with resourceAttributes'));
  }
  if (!isJsonObject(resource) && !isJsonObject(path)) {
    errors.push(
      invalid(RESOURCE, null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'),
    );
  }
  if (kind !== SELF && (stringAt(spec, 'user') ?? '') === '' && arrayAt(spec, 'groups').length === 0) {
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  // A review is not kept and has no name; a local one has its namespace.
  const allowed = ['managedFields', ...(kind === LOCAL ? ['namespace'] : [])];
  if (Object.keys(metadata).some((key) => !allowed.includes(key))) {
    const rule = kind === LOCAL ? 'must be empty except for namespace' : 'must be empty';
    errors.push(invalid('metadata', metadata, rule));
  }
  return errors;
}

function checkNamespace(spec: JsonObject, namespace: string, review: KubeObject): void {
  const asked = stringAt(spec, 'resourceAttributes', 'namespace') ?? '';
  if (asked !== namespace) {
    const error = invalid(`${RESOURCE}.namespace`, asked, 'must match metadata.namespace');
    throw invalidStatus({ group: 'authorization.k8s.io', kind: '' }, '', [error]);
  }
  review.metadata.namespace = namespace;
}

function userOf(spec: JsonObject): UserInfo {
  const text = (key: string): string => stringAt(spec, key) ?? '';
  return { name: text('user'), uid: text('uid'), groups: arrayAt(spec, 'groups').map(String), extra: {} };
}

function attributesOf(spec: JsonObject): Attributes {
  const isPath = isJsonObject(spec.nonResourceAttributes);
  const asked = objectAt(spec, isPath ? 'nonResourceAttributes' : 'resourceAttributes');
  const text = (key: string): string => stringAt(asked, key) ?? '';
  if (isPath) return { verb: text('verb'), path: text('path'), resource: undefined };
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
