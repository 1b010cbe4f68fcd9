import { arrayAt, isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type CompiledCondition, compileCondition } from '@/lib/schema/cel/compile-condition';

/** One entry of a Mutating- or ValidatingWebhookConfiguration, with Kubernetes' defaults filled in. */
export interface Webhook {
  readonly phase: 'mutating' | 'validating';
  readonly name: string;
  /** Where it is: `url`, or a Service, which has no network in the sandbox. */
  readonly url: string | undefined;
  readonly service: string | undefined;
  /** PEM; the system's authorities when absent. */
  readonly caBundle: string | undefined;
  readonly rules: readonly WebhookRule[];
  readonly ignoresFailure: boolean;
  readonly timeoutMs: number;
  readonly namespaceSelector: JsonObject;
  readonly objectSelector: JsonObject;
  /** `Exact` counts the versions of the rules; `Equivalent` any version of the same resource. */
  readonly isExact: boolean;
  readonly isReinvoked: boolean;
  readonly speaksV1: boolean;
  /** All must hold; one that cannot be evaluated counts as a failure of the webhook. */
  readonly conditions: readonly CompiledCondition[];
}

export interface WebhookRule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  // A resource, a subresource (`pods/status`), or a star in either place.
  readonly resources: readonly string[];
  readonly scope: string;
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** The webhooks of a configuration object, in their order. */
export function webhooksOf(configuration: KubeObject): Webhook[] {
  const phase = configuration.kind === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating';
  return arrayAt(configuration, 'webhooks')
    .filter(isJsonObject)
    .map((entry) => toWebhook(phase, entry));
}

function toWebhook(phase: Webhook['phase'], entry: JsonObject): Webhook {
  const client = objectAt(entry, 'clientConfig');
  const service = objectAt(client, 'service');
  const bundle = stringAt(client, 'caBundle');
  return {
    phase,
    name: stringAt(entry, 'name') ?? '',
    url: stringAt(client, 'url'),
    service:
      stringAt(service, 'name') === undefined
        ? undefined
        : `${stringAt(service, 'name')}.${stringAt(service, 'namespace')}.svc`,
    caBundle: bundle === undefined || bundle === '' ? undefined : decodeBase64(bundle),
    rules: arrayAt(entry, 'rules').map(toWebhookRule),
    ignoresFailure: stringAt(entry, 'failurePolicy') === 'Ignore',
    timeoutMs: (numberAt(entry, 'timeoutSeconds') ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    namespaceSelector: objectAt(entry, 'namespaceSelector'),
    objectSelector: objectAt(entry, 'objectSelector'),
    isExact: stringAt(entry, 'matchPolicy') === 'Exact',
    isReinvoked: stringAt(entry, 'reinvocationPolicy') === 'IfNeeded',
    conditions: arrayAt(entry, 'matchConditions').map((each) => compileCondition(stringAt(each, 'expression') ?? '')),
    speaksV1: arrayAt(entry, 'admissionReviewVersions').includes('v1'),
  };
}

/** One rule of `rules`, or of `resourceRules`. */
export function toWebhookRule(rule: unknown): WebhookRule {
  const texts = (field: string) => arrayAt(rule, field).filter((each) => typeof each === 'string');
  return {
    operations: texts('operations'),
    groups: texts('apiGroups'),
    versions: texts('apiVersions'),
    resources: texts('resources'),
    scope: stringAt(rule, 'scope') ?? '*',
  };
}

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
}
