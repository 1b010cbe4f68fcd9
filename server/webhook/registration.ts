import { arrayAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { NOT_AN_OWN_STEP } from '@/lib/kudo/admission/own-step-condition';
import { PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { INSTALLED_BY } from '@/lib/kudo/installation/names';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import type { Api, Target } from '@/server/kube/api';
import type { Log } from '@/server/log/log';
import type { ReachableAddress } from './address';

/** KUDO's names, so that its configuration is replaced and not joined (KUDO pkg/kudoctl/kudoinit/prereq/webhook.go). */
export const CONFIGURATION_NAME = 'kudo-manager-instance-admission-webhook-config';
export const WEBHOOK_NAME = 'instance-admission.kudo.dev';
/** Who steers a run. */
export const RUN_WEBHOOK_NAME = 'planrun-admission.bravo.kudo.dev';
export const WEBHOOK_PATH = '/admit-kudo-dev-v1beta1-instance';

/** An edit waits so long for a controller that hangs; then it is taken, and judged later (docs/decisions/020). */
export const TIMEOUT_SECONDS = 2;

export const CONFIGURATIONS: Target = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingwebhookconfigurations',
};
const OURS: Target = { ...CONFIGURATIONS, name: CONFIGURATION_NAME };

/**
 * Sees to it that the API server calls us: creates the configuration, or makes the one that is there ours (KUDO's, with
 * `failurePolicy: Fail` and a manager that is gone, would block every edit). Writes only what differs.
 */
export async function register(api: Api, address: ReachableAddress, caBundlePem: string, log: Log): Promise<void> {
  const live = await api.get(OURS);
  const entries = webhookEntries(address, caBundlePem);
  const wanted = objectAt(entries[0]);
  if (live === undefined) {
    await api.create(CONFIGURATIONS, configuration(entries));
    log.info('webhook.registered', { at: placeOf(wanted) });
    return;
  }
  if (isOurs(live) && says(live, entries)) return;
  const { resourceVersion, uid, labels } = live.metadata;
  const fresh = configuration(entries);
  // Its other annotations go: cert-manager's would put another authority into the bundle.
  const metadata = { ...fresh.metadata, resourceVersion, uid, ...(labels === undefined ? {} : { labels }) };
  await api.update(OURS, { ...fresh, metadata } as KubeObject);
  const was = entryOf(live);
  if (isOurs(live)) log.info('webhook.registered', { at: placeOf(wanted) });
  else {
    log.warn('webhook.taken-over', { from: placeOf(was), failurePolicy: stringAt(was, 'failurePolicy') ?? '' });
  }
}

/** False while the API server calls us and trusts another bundle. */
export async function isTrusted(api: Api, caBundlePem: string): Promise<boolean> {
  const live = await api.get(OURS);
  if (live === undefined) return true;
  const bundle = stringAt(entryOf(live), 'clientConfig', 'caBundle');
  return bundle === encode(caBundlePem);
}

/** True while the API server calls this address. */
export async function isRegisteredAt(api: Api, address: ReachableAddress): Promise<boolean> {
  const live = await api.get(OURS);
  return live !== undefined && isOurs(live) && placeOf(entryOf(live)) === placeOfAddress(address);
}

/** Takes back what was registered for this address; what another one has put there since stays. @returns whether it was there */
export async function unregister(api: Api, address: ReachableAddress): Promise<boolean> {
  const live = await api.get(OURS);
  if (live === undefined || !isOurs(live) || placeOf(entryOf(live)) !== placeOfAddress(address)) return false;
  const { uid, resourceVersion } = live.metadata;
  await api.delete(OURS, { uid, resourceVersion });
  return true;
}

/** Deletes the configuration of a controller of Bravo, wherever it points to. @returns whether there was one */
export async function unregisterOurs(api: Api): Promise<boolean> {
  const live = await api.get(OURS);
  if (live === undefined || !isOurs(live)) return false;
  const { uid, resourceVersion } = live.metadata;
  await api.delete(OURS, { uid, resourceVersion });
  return true;
}

/**
 * What a controller that cannot be reached does about configurations that are there: a URL that one of us left behind goes;
 * so does KUDO's when its Service has nobody behind it any more, because with `failurePolicy: Fail` it refuses every edit.
 * A configuration with a Service of ours, and one of a KUDO that lives, stay.
 *
 * @returns where the configuration of somebody who lives points to; empty when there is none
 */
export async function removeStale(api: Api, log: Log): Promise<string> {
  const live = await api.get(OURS);
  if (live === undefined) return '';
  const entry = entryOf(live);
  const isDead = isOurs(live) ? urlOf(live) !== undefined : await isServiceDead(api, entry);
  if (!isDead) return isOurs(live) ? '' : placeOf(entry);
  const { uid, resourceVersion } = live.metadata;
  await api.delete(OURS, { uid, resourceVersion });
  log.warn('webhook.removed', { at: placeOf(entry), reason: 'nobody serves it any more' });
  return '';
}

async function isServiceDead(api: Api, entry: JsonObject): Promise<boolean> {
  const service = objectAt(entry, 'clientConfig', 'service');
  const namespace = stringAt(service, 'namespace');
  const name = stringAt(service, 'name');
  if (name === undefined || namespace === undefined) return false;
  const endpoints = await api.get({ group: '', version: 'v1', resource: 'endpoints', namespace, name });
  return arrayAt(endpoints, 'subsets').every((subset) => arrayAt(subset, 'addresses').length === 0);
}

function configuration(entries: JsonObject[]): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: CONFIGURATION_NAME, annotations: { [INSTALLED_BY]: 'bravo' } },
    webhooks: entries,
  };
}

function webhookEntries(address: ReachableAddress, caBundlePem: string): JsonObject[] {
  const entry = webhookEntry(address, caBundlePem);
  return [
    entry,
    {
      ...entry,
      name: RUN_WEBHOOK_NAME,
      rules: [
        {
          apiGroups: [PLAN_RUNS.group],
          apiVersions: [PLAN_RUNS.version],
          operations: ['UPDATE'],
          resources: [PLAN_RUNS.resource],
          scope: 'Namespaced',
        },
      ],
      matchConditions: [{ name: 'steered.bravo.kudo.dev', expression: 'object.spec != oldObject.spec' }],
    },
  ];
}

/** Every field is given, also where the API server would fill in the same: so a comparison finds nothing but differences. */
export function webhookEntry(address: ReachableAddress, caBundlePem: string): JsonObject {
  return {
    name: WEBHOOK_NAME,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { ...clientConfigOf(address), caBundle: encode(caBundlePem) },
    rules: [
      {
        apiGroups: ['kudo.dev'],
        apiVersions: ['v1beta1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['instances'],
        scope: 'Namespaced',
      },
      {
        apiGroups: [PLAN_APPROVALS.group],
        apiVersions: [PLAN_APPROVALS.version],
        operations: ['CREATE', 'UPDATE'],
        resources: [PLAN_APPROVALS.resource, `${PLAN_APPROVALS.resource}/status`],
        scope: 'Namespaced',
      },
    ],
    // A controller that is away must not make Instances read-only: it finds by comparison what nobody asked it about.
    failurePolicy: 'Ignore',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: TIMEOUT_SECONDS,
    reinvocationPolicy: 'Never',
    namespaceSelector: {},
    objectSelector: {},
    matchConditions: [{ name: 'not-an-own-step.kudo.dev', expression: NOT_AN_OWN_STEP }],
  };
}

function clientConfigOf(address: ReachableAddress): JsonObject {
  if (address.kind === 'url') return { url: `${address.url}${WEBHOOK_PATH}` };
  const { namespace, name, port } = address;
  return { service: { namespace, name, port, path: WEBHOOK_PATH } };
}

function says(live: KubeObject, wanted: readonly JsonObject[]): boolean {
  const entries = arrayAt(live, 'webhooks');
  return entries.length === wanted.length && wanted.every((entry, index) => saysEntry(entries[index], entry));
}

function saysEntry(entry: JsonValue | undefined, wanted: JsonObject): boolean {
  if (!isJsonObject(entry)) return false;
  // Fields that a newer API server adds by itself do not count, nor conditions that one before 1.28 drops at every write.
  return Object.entries(wanted).every(
    ([field, value]) => jsonEqual(entry[field], value) || (field === 'matchConditions' && entry[field] === undefined),
  );
}

function isOurs(live: KubeObject): boolean {
  return live.metadata.annotations?.[INSTALLED_BY] !== undefined;
}

function entryOf(live: KubeObject | undefined): JsonObject {
  return objectAt(arrayAt(live, 'webhooks')[0]);
}

function urlOf(live: KubeObject): string | undefined {
  return stringAt(entryOf(live), 'clientConfig', 'url');
}

/** The address in the words of the log. */
export function placeOfAddress(address: ReachableAddress): string {
  return placeOf({ clientConfig: clientConfigOf(address) });
}

function placeOf(entry: JsonObject): string {
  const client = objectAt(entry, 'clientConfig');
  const service = objectAt(client, 'service');
  return stringAt(client, 'url') ?? `${stringAt(service, 'name') ?? ''}.${stringAt(service, 'namespace') ?? ''}.svc`;
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
