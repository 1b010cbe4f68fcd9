import { fromJson } from '@/lib/cel/json-values';
import type { CelValue } from '@/lib/cel/values';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { formatApiVersion, type KubeObject, nameOf } from '@/lib/kube/object';
import { Rbac } from '../../auth/rbac';
import { serviceAccountUser } from '../../auth/user';
import { failure, forbidden, type StatusError } from '../../http/status';
import type { WriteContext } from '../../registry/context';
import type { Registry } from '../../registry/registry';
import type { AdmissionRequest } from '../gate';
import { EXEMPT_GROUP, type NamespaceLabels } from '../matching';
import { type Authority, type Evaluation, type Refusal, refusalsOf } from './evaluate';
import { matchesRequest } from './matches';
import { ConfigurationProblem, collectParams } from './params';
import { matchResourcesOf, type Policy, policyOf } from './policy';

const GROUP = 'admissionregistration.k8s.io';
const BINDINGS = `validatingadmissionpolicybindings.${GROUP}`;
const POLICIES = `validatingadmissionpolicies.${GROUP}`;

/**
 * The same context, with ValidatingAdmissionPolicies when any is bound (Kubernetes apiserver admission/plugin/policy/validating):
 * every create, update and deletion, the controllers' own too, is held against them after its own validation and before the
 * quotas. Where no binding exists this is one look at the size of a collection.
 */
export function withPolicies(registry: Registry, context: WriteContext): WriteContext {
  if (registry.store.collection(BINDINGS).size === 0) return context;
  return { ...context, checkPolicies: (request) => checkPolicies(registry, context, request) };
}

interface Denial extends Refusal {
  readonly policy: string;
  readonly binding: string;
}

/** @throws StatusError of the first validation that does not hold where the binding says Deny */
function checkPolicies(registry: Registry, context: WriteContext, request: AdmissionRequest): void {
  if (request.info.group === EXEMPT_GROUP) return;
  const labelsOf: NamespaceLabels = (namespace) =>
    registry.store.get('namespaces', namespace)?.object.metadata.labels ?? {};
  let known: Evaluation | undefined;
  const values = (): Evaluation => {
    known ??= valuesOf(registry, context, request);
    return known;
  };
  let denial: Denial | undefined;
  for (const [, { object: binding }] of registry.store.collection(BINDINGS).entries()) {
    const found = registry.store.get(POLICIES, stringAt(binding, 'spec', 'policyName') ?? '');
    if (found === undefined) continue;
    const policy = policyOf(found.object);
    const own = objectAt(binding, 'spec', 'matchResources');
    if (!matchesRequest(policy.match, request, labelsOf)) continue;
    if (!matchesRequest(matchResourcesOf(own), request, labelsOf)) continue;
    for (const refusal of refusals(registry, { policy, binding, request, values })) {
      const actions = refusal.isConfiguration ? ['Deny'] : arrayAt(binding, 'spec', 'validationActions');
      const where = { policy: policy.name, binding: nameOf(binding) };
      if (actions.includes('Warn')) context.warnings.push(warning(where, refusal));
      if (actions.includes('Deny')) denial ??= { ...refusal, ...where };
    }
  }
  if (denial !== undefined) throw denied(request, denial);
}

interface Bound {
  readonly policy: Policy;
  readonly binding: KubeObject;
  readonly request: AdmissionRequest;
  /** Made when the first policy looks, for all of them. */
  readonly values: () => Evaluation;
}

function refusals(
  registry: Registry,
  { policy, binding, request, values }: Bound,
): (Refusal & { readonly isConfiguration: boolean })[] {
  const reference = objectAt(binding, 'spec').paramRef;
  try {
    const { scope: shared, authority } = values();
    return collectParams(registry, policy, isJsonObject(reference) ? reference : undefined, request).flatMap(
      (params) => {
        const scope = { ...shared, params: inCel(params) };
        const found = refusalsOf(policy, { scope, authority });
        return found.map((refusal) => ({ ...refusal, isConfiguration: false }));
      },
    );
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error;
    if (policy.ignoresFailure) return [];
    const message = `failed to configure binding: ${error.message}`;
    return [{ message, reason: 'Invalid', isConfiguration: true }];
  }
}

/** What every policy sees of a request. */
function valuesOf(registry: Registry, context: WriteContext, request: AdmissionRequest): Evaluation {
  const { info, namespace } = request;
  const isNamespace = info.group === '' && info.resource === 'namespaces';
  const home = namespace === undefined || isNamespace ? undefined : registry.store.get('namespaces', namespace)?.object;
  const scope = {
    object: inCel(request.object, request.form ?? info),
    oldObject: inCel(request.old, request.form ?? info),
    request: fromJson(describe(request, context)),
    namespaceObject: inCel(home),
  };
  return { scope, authority: authorityOf(registry, context, request) };
}

function authorityOf(registry: Registry, { user }: WriteContext, request: AdmissionRequest): Authority {
  const { info, namespace = '', name, subresource = '' } = request;
  return {
    own: { group: info.group, resource: info.resource, subresource, namespace, name },
    decide({ verb, account, path = '', ...resource }) {
      const asker =
        account === undefined ? { uid: '', extra: {}, ...user } : serviceAccountUser(account.namespace, account.name);
      const { allowed, reason } = new Rbac(registry.store).decide(asker, {
        verb,
        path,
        resource: path === '' ? resource : undefined,
      });
      return { allowed, reason };
    },
  };
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** `request` as expressions know it (admission/v1 AdmissionRequest). */
function describe(
  { info, operation, namespace, name, subresource, form }: AdmissionRequest,
  context: WriteContext,
): JsonObject {
  const { group, version, resource } = info;
  const kind = form ?? (subresource === 'scale' ? SCALE : { group, version, kind: info.kind });
  const { user, dryRun } = context;
  const options = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }[operation];
  return {
    kind,
    resource: { group, version, resource },
    subResource: subresource ?? '',
    requestKind: kind,
    requestResource: { group, version, resource },
    requestSubResource: subresource ?? '',
    name,
    namespace: namespace ?? '',
    operation,
    userInfo: { username: user.name, groups: [...user.groups], extra: {} },
    dryRun,
    options: { apiVersion: 'meta.k8s.io/v1', kind: options },
  };
}

/** Managed fields are left out: they are large, and nobody judges by them. */
function inCel(
  object: KubeObject | undefined,
  info?: Pick<AdmissionRequest['info'], 'group' | 'version' | 'kind'>,
): CelValue {
  if (object === undefined) return null;
  const { managedFields: _, ...metadata } = object.metadata;
  const form = info === undefined ? {} : { apiVersion: formatApiVersion(info.group, info.version), kind: info.kind };
  return fromJson({ ...form, ...object, metadata } as unknown as JsonValue);
}

interface Where {
  readonly policy: string;
  readonly binding: string;
}

function warning({ policy, binding }: Where, { message }: Refusal): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
}

const CODES: { readonly [reason: string]: number } = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

/** The refusal in the API server's words and form (policy/validating dispatcher). */
function denied({ info, name }: AdmissionRequest, { policy, binding, message, reason }: Denial): StatusError {
  const text = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
  const { status } = forbidden(info, name, text);
  const details = { ...status.details, causes: [{ message: text }] };
  return failure(CODES[reason] ?? 422, reason, status.message ?? text, details);
}
