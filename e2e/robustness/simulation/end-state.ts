import { arrayAt, cloneJson, isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { controllerOfKind } from '@/lib/kube/owners';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import { EXECUTION_UID_ANNOTATION, LAST_APPLIED_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { QUEUE_ANNOTATION } from '@/lib/kudo/queue/run-queue';
import { KEPT_SECRET_TYPE } from '@/server/inventory/kept-objects';
import { RECORD_SECRET_TYPE } from '@/server/runs/record-secret';
import type { SandboxApi } from '@/server/sandbox/api';
import { contestedObjects } from './contested-objects';
import type { Scenario } from './scenario';

/** Every object of the scenario's namespaces by kind, namespace and name, without what differs in every run. */
export type EndState = { readonly [key: string]: JsonValue };

const KINDS = [
  { group: '', version: 'v1', resource: 'configmaps' },
  { group: '', version: 'v1', resource: 'secrets' },
  { group: '', version: 'v1', resource: 'pods' },
  { group: 'apps', version: 'v1', resource: 'deployments' },
  { group: 'apps', version: 'v1', resource: 'statefulsets' },
  { group: 'batch', version: 'v1', resource: 'jobs' },
  { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
] as const;

const METADATA = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'deletionTimestamp'];
/** Differ in every run: times, ids, who asked (a webhook knows the person), random values of templates, names that end in a hash. */
const VOLATILE =
  /^(uid|by|lastUpdatedTimestamp|lastTransitionTime|lastUpdateTime|startTime|completionTime|lastProbeTime|observedGeneration|collisionCount|currentRevision|updateRevision|token|pem|at|startedAt|controller-uid|batch.kubernetes.io\/controller-uid)$/;

/** The objects at the end of a run, without what differs in every run: equal for two runs with the same result. */
export function endState(api: SandboxApi, { scripts }: Scenario): EndState {
  const state: { [key: string]: JsonValue } = {};
  for (const script of scripts) {
    const contested = contestedObjects(script);
    for (const resource of KINDS) {
      for (const object of api.list({ ...resource, namespace: script.namespace })) {
        if (object.metadata.name === 'kube-root-ca.crt' || isPacked(object) || isMadeByWorkload(object)) continue;
        state[`${object.kind} ${script.namespace}/${object.metadata.name}`] = normalise(object, contested);
      }
    }
  }
  return state;
}

/** The compressed manifests of an Instance with self-heal, whose uids differ in every run. I13 checks their effect. */
function isPacked({ type }: KubeObject): boolean {
  return type === KEPT_SECRET_TYPE || type === RECORD_SECRET_TYPE;
}

/** Pods of workloads have random names; pods of pipes must be deleted. */
function isMadeByWorkload(object: KubeObject): boolean {
  return object.kind === 'Pod' && controllerOfKind(object, 'kudo.dev', 'Instance') === undefined;
}

function normalise(object: KubeObject, contested: ReadonlySet<string>): JsonValue {
  const copy = cloneJson(object) as unknown as JsonObject;
  const metadata = copy.metadata as JsonObject;
  for (const field of METADATA) delete metadata[field];
  if (isJsonObject(metadata.annotations)) normaliseMarks(metadata.annotations, contested.has(nameOf(object)));
  return scrub(copy);
}

/**
 * Uids differ in every run. When parallel steps apply the same object, the first one changes it and records its own name;
 * which step is the first is not defined.
 */
function normaliseMarks(annotations: JsonObject, isContested: boolean): void {
  delete annotations[EXECUTION_UID_ANNOTATION];
  // Which executions ran depends on the moments of the edits, and their durations on every fault.
  delete annotations[HISTORY_ANNOTATION];
  // Which runs waited for which others depends on these moments, too.
  delete annotations[QUEUE_ANNOTATION];
  if (isContested) {
    delete annotations[PHASE_ANNOTATION];
    delete annotations[STEP_ANNOTATION];
  }
  const inventory = annotations[INVENTORY_ANNOTATION];
  if (typeof inventory === 'string') annotations[INVENTORY_ANNOTATION] = normaliseInventory(inventory);
  for (const name of [LAST_APPLIED_ANNOTATION, ACTED_UPON_ANNOTATION]) {
    const text = annotations[name];
    if (typeof text !== 'string') continue;
    const record = JSON.parse(text) as JsonValue;
    if (isJsonObject(record) && isJsonObject(record.metadata) && isJsonObject(record.metadata.annotations))
      normaliseMarks(record.metadata.annotations, isContested);
    annotations[name] = record;
  }
}

/** Which plan applied which objects, without digests: they cover random values. */
function normaliseInventory(text: string): JsonValue {
  const inventory = JSON.parse(text) as JsonValue;
  const runs = arrayAt(inventory, 'runs').map((run) => [
    stringAt(run, 'plan') ?? '',
    stringAt(run, 'for') ?? '',
    ...arrayAt(run, 'objects')
      .map((entry) => `${stringAt(entry, 1)} ${stringAt(entry, 2)}`)
      .sort(),
  ]);
  return { unsettled: stringAt(inventory, 'unsettled') ?? '', runs };
}

/** Names of pods of Jobs and Deployments end in five random characters, and messages contain these names. */
const POD_SUFFIX = /-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
/** The exit code of a failed Job's pod is known only when the controller sees the pod in time. */
const POD_WORDS = /; pod [^;]*: exit code \d+/g;

function scrub(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(POD_WORDS, '').replace(POD_SUFFIX, '-*');
  if (Array.isArray(value)) return value.map(scrub);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !VOLATILE.test(name));
  return Object.fromEntries(
    kept
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, scrub(name === 'conditions' ? byType(member) : member)]),
  );
}

/** Conditions are a map by their type: their order has no meaning. */
function byType(conditions: JsonValue): JsonValue {
  if (!Array.isArray(conditions)) return conditions;
  const typeOf = (condition: JsonValue) => stringAt(condition, 'type') ?? '';
  return [...conditions].sort((a, b) => (typeOf(a) < typeOf(b) ? -1 : 1));
}
