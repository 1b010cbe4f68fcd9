import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  numberAt,
  objectAt,
  stringAt,
} from '@/lib/json/json';
import { formatApiVersion, isKubeObject, type KubeObject } from '@/lib/kube/object';
import { applyJsonPatch } from '@/lib/kube/patch/json-patch';
import { type Random, randomUuid } from '@/lib/random/random';
import { failure, internalError, type StatusError } from '../errors/status';
import type { AdmissionAnswer, AdmissionRequest } from '../registry/admission-gate';
import type { WriteContext } from '../registry/context';
import type { PostReview } from '../registry/post-review';
import { callWebhook, WebhookFailure } from './call-webhook';
import { concerns, type NamespaceLabels } from './matching';
import type { Webhook } from './webhook';

export interface AdmitOptions {
  readonly webhooks: readonly Webhook[];
  readonly labelsOf: NamespaceLabels;
  readonly random: Random;
  readonly context: WriteContext;
  /** Stands in the place of the network. */
  readonly post: PostReview | undefined;
  /** Prunes and defaults an object that a webhook changed. */
  readonly decode: (object: KubeObject) => KubeObject;
}

/**
 * Asks the mutating webhooks one after the other in the order of their configurations' names, and those with
 * `reinvocationPolicy: IfNeeded` once more when a later one changed the object.
 *
 * @throws StatusError of the first that denies, or that fails under `failurePolicy: Fail`
 */
export async function admitMutating(request: AdmissionRequest, options: AdmitOptions): Promise<AdmissionAnswer> {
  const mutating = options.webhooks.filter(({ phase }) => phase === 'mutating');
  let object = await mutateAll(mutating, request, options);
  if (!jsonEqual(object, request.object)) {
    const again = mutating.filter(({ isReinvoked }) => isReinvoked);
    object = await mutateAll(again, { ...request, object }, options);
  }
  return { object };
}

/**
 * Asks the validating webhooks, all at once.
 *
 * @throws StatusError of the first that denies, or that fails under `failurePolicy: Fail`
 */
export async function admitValidating(settled: AdmissionRequest, options: AdmitOptions): Promise<void> {
  const validating = options.webhooks.filter(({ phase }) => phase === 'validating');
  await Promise.all(
    validating
      .filter((each) => concerns(each, settled, circumstances(options)))
      .map((each) => ask(each, settled, options)),
  );
}

async function mutateAll(
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  options: AdmitOptions,
): Promise<KubeObject | undefined> {
  let object = request.object;
  for (const webhook of webhooks) {
    const present = { ...request, object };
    if (!concerns(webhook, present, circumstances(options))) continue;
    const response = await ask(webhook, present, options);
    if (object !== undefined && response !== undefined) object = patched(webhook, object, response, options);
  }
  return object;
}

function circumstances({ context, labelsOf }: AdmitOptions) {
  return { user: context.user, labelsOf };
}

/** The response of a webhook that allowed the request; undefined when it failed and that is to be ignored. */
async function ask(
  webhook: Webhook,
  request: AdmissionRequest,
  options: AdmitOptions,
): Promise<JsonObject | undefined> {
  try {
    const response = await callWebhook(webhook, review(request, webhook, options), options.post);
    for (const warning of arrayAt(response, 'warnings')) options.context.warnings.push(String(warning));
    if (response.allowed !== true) throw denial(webhook, objectAt(response, 'status'));
    return response;
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.ignoresFailure) return undefined;
    throw error.toStatus(webhook.name);
  }
}

function review(request: AdmissionRequest, webhook: Webhook, { random, context }: AdmitOptions): JsonObject {
  const { info, operation, object, old, namespace, name, subresource } = request;
  const kind = request.form ?? { group: info.group, version: info.version, kind: info.kind };
  const resource = { group: info.group, version: info.version, resource: info.resource };
  const options = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }[operation];
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${webhook.speaksV1 ? 'v1' : 'v1beta1'}`,
    request: {
      uid: randomUuid(random),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      ...(subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      operation,
      userInfo: { username: context.user.name, groups: [...context.user.groups] },
      object: inForm(object, kind),
      oldObject: inForm(old, kind),
      dryRun: context.dryRun,
      options: { kind: options, apiVersion: 'meta.k8s.io/v1' },
    },
  };
}

function inForm(
  object: KubeObject | undefined,
  info: Pick<AdmissionRequest['info'], 'group' | 'version' | 'kind'>,
): JsonValue {
  if (object === undefined) return null;
  return { ...object, apiVersion: formatApiVersion(info.group, info.version), kind: info.kind } as unknown as JsonValue;
}

function patched(webhook: Webhook, object: KubeObject, response: JsonObject, { decode }: AdmitOptions): KubeObject {
  const text = stringAt(response, 'patch');
  if (text === undefined || text === '') return object;
  try {
    const operations = JSON.parse(Buffer.from(atob(text), 'latin1').toString('utf8')) as JsonValue;
    const result: unknown = applyJsonPatch(object as unknown as JsonObject, operations);
    if (isKubeObject(result)) return decode(result);
  } catch (error) {
    throw internalError(
      `the patch of webhook "${webhook.name}" cannot be applied: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw internalError(`the patch of webhook "${webhook.name}" leaves no object`);
}

/** apiserver admission/plugin/webhook/errors ToStatusErr. */
function denial(webhook: Webhook, status: JsonObject): StatusError {
  const denied = `admission webhook "${webhook.name}" denied the request`;
  const message = stringAt(status, 'message') ?? '';
  const reason = stringAt(status, 'reason') ?? '';
  const explained =
    message !== '' ? `${denied}: ${message}` : reason !== '' ? `${denied}: ${reason}` : `${denied} without explanation`;
  const code = Math.max(400, numberAt(status, 'code') ?? 0);
  const details = status.details;
  return failure(code, reason, explained, isJsonObject(details) ? details : undefined);
}
