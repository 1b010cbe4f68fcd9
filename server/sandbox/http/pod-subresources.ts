import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, cloneJson, getAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { formatApiVersion, type KubeObject, nameOf } from '@/lib/kube/object';
import { withAdmission } from '../admission/with-admission';
import { badRequest, conflict, failure, internalError } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate } from '../exchange/negotiation';
import { readJsonObject } from '../exchange/parse-object';
import { writeContext } from '../exchange/write-options';
import type { AdmissionRequest } from '../registry/admission-gate';
import type { WriteContext } from '../registry/context';
import { deleteObject } from '../registry/delete';
import { getStored, type ObjectPlace, type Registry } from '../registry/registry';
import { matchesLabelSelector } from '../selectors/selector';
import { objectKey } from '../store/collection';
import { withCondition } from '../workloads/core/conditions';

const SUCCESS = JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });

/** The pod that the path names, if it names one. */
interface NamedPod {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** POST of a Binding: gives a pod its node, once (registry/core/pod BindingREST). */
export async function bindPod(core: SandboxCore, exchange: Exchange, { namespace, name }: NamedPod): Promise<void> {
  const accepted = negotiate(exchange.request);
  const context = writeContext(exchange, 'CreateOptions', 'binding');
  const value = await readJsonObject(exchange.request, 'Binding');
  const given = stringAt(value, 'metadata', 'name') ?? '';
  if (name !== undefined && given !== name) throw badRequest('name in URL does not match name in Binding object');
  const target = stringAt(value, 'target', 'name') ?? '';
  if (target === '') throw failure(500, '', 'target.name: Required value');
  const place = podPlace(core.registry, namespace, given);
  await withAdmission(core.registry, place.info, context, (admission) => {
    admit(admission, place, BINDING, value);
    const pod = cloneJson(getStored(core.registry, place).object);
    refuseBound(pod, given);
    assign(core.registry, pod, target);
    if (!context.dryRun) core.registry.store.put('pods', objectKey(place.namespace, place.name), pod);
  });
  await core.registry.store.committed();
  sendJson(exchange, 201, SUCCESS, accepted);
}

type Asked = Required<Pick<AdmissionRequest, 'subresource' | 'form'>>;

const BINDING: Asked = { subresource: 'binding', form: { group: '', version: 'v1', kind: 'Binding' } };
const EVICTION: Asked = { subresource: 'eviction', form: { group: 'policy', version: 'v1', kind: 'Eviction' } };

/** Shows webhooks what is asked of a pod: a CREATE of the subresource. @throws what they refuse it with */
function admit(
  context: WriteContext,
  { info, namespace, name }: ObjectPlace,
  { subresource, form }: Asked,
  value: JsonObject,
): void {
  const metadata = { ...objectAt(value, 'metadata'), name, ...(namespace === undefined ? {} : { namespace }) };
  const object: KubeObject = {
    ...value,
    apiVersion: formatApiVersion(form.group, form.version),
    kind: form.kind,
    metadata,
  };
  context.gate?.pass({ operation: 'CREATE', info, namespace, name, subresource, form, object, old: undefined });
  context.onValid?.();
}

/** A pod is bound once, and not when it goes. */
function refuseBound(pod: KubeObject, name: string): void {
  const assigned = stringAt(pod, 'spec', 'nodeName') ?? '';
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  if (assigned === '' && !isDeleted) return;
  const why = isDeleted
    ? 'is being deleted, cannot be assigned to a host'
    : `is already assigned to node ${JSON.stringify(assigned)}`;
  throw conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${why}`);
}

function assign(registry: Registry, pod: KubeObject, node: string): void {
  const times = { lastProbeTime: null, lastTransitionTime: rfc3339(registry.clock.now()) };
  const scheduled = { type: 'PodScheduled', status: 'True', ...times };
  const conditions = withCondition(arrayAt(pod, 'status', 'conditions'), scheduled);
  pod.spec = { ...objectAt(pod, 'spec'), nodeName: node };
  pod.status = { ...objectAt(pod, 'status'), conditions };
}

export function podPlace(registry: Registry, namespace: string | undefined, name: string): ObjectPlace {
  const info = registry.table.get('', 'v1', 'pods');
  if (info === undefined) throw badRequest('pods are not served');
  return { info, namespace, name };
}

/** POST of an Eviction: deletes a pod if its disruption budgets allow (registry/core/pod EvictionREST). */
export async function evictPod(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const accepted = negotiate(exchange.request);
  const context = writeContext(exchange, 'CreateOptions', 'eviction');
  const value = await readJsonObject(exchange.request, 'Eviction');
  const given = stringAt(value, 'metadata', 'name') ?? '';
  if (given !== place.name) throw badRequest('name in URL does not match name in Eviction object');
  const options = objectAt(value, 'deleteOptions');
  const dryRun = context.dryRun || arrayAt(options, 'dryRun').length > 0;
  const request = {
    gracePeriodSeconds: numberAt(options, 'gracePeriodSeconds'),
    uid: stringAt(options, 'preconditions', 'uid'),
    resourceVersion: stringAt(options, 'preconditions', 'resourceVersion'),
  };
  await withAdmission(core.registry, place.info, context, (admission) => {
    const pod = getStored(core.registry, place).object;
    admit(admission, place, EVICTION, value);
    if (needsBudget(pod)) takeDisruption(core.registry, pod, dryRun);
    // The deletion that follows is the server's own: webhooks are not called for it.
    deleteObject(core.registry, place, request, { ...context, dryRun });
  });
  await core.registry.store.committed();
  sendJson(exchange, 201, SUCCESS, accepted);
}

/** Pods that have ended, were not started, or are being deleted may be evicted without a budget. */
function needsBudget(pod: KubeObject): boolean {
  const isFree = ['Succeeded', 'Failed', 'Pending'].includes(stringAt(pod, 'status', 'phase') ?? '');
  return !isFree && pod.metadata.deletionTimestamp === undefined;
}

const BUDGETS = 'poddisruptionbudgets.policy';

function takeDisruption(registry: Registry, pod: KubeObject, dryRun: boolean): void {
  const namespace = pod.metadata.namespace ?? '';
  const budgets = [...registry.store.collection(BUDGETS).entries(namespace)]
    .map(([, stored]) => stored.object)
    .filter((budget) => matchesLabelSelector(getAt(budget, 'spec', 'selector'), pod.metadata.labels));
  const [budget, second] = budgets;
  if (budget === undefined) return;
  if (second !== undefined) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const status = objectAt(budget, 'status');
  const name = nameOf(budget);
  if ((numberAt(status, 'observedGeneration') ?? 0) < (budget.metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  if (allowed <= 0) {
    const desired = numberAt(status, 'desiredHealthy') ?? 0;
    const current = numberAt(status, 'currentHealthy') ?? 0;
    throw tooManyRequests(`The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`);
  }
  if (dryRun) return;
  const disruptedPods = { ...objectAt(status, 'disruptedPods'), [nameOf(pod)]: rfc3339(registry.clock.now()) };
  const next = { ...cloneJson(budget), status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods } };
  registry.store.put(BUDGETS, objectKey(namespace, name), next);
}

function tooManyRequests(message: string, retryAfterSeconds?: number): Error {
  return failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
