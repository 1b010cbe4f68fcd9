import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { SandboxApi } from '@/server/sandbox/api';

const KINDS = [
  { group: '', version: 'v1', resource: 'configmaps' },
  { group: 'apps', version: 'v1', resource: 'deployments' },
  { group: 'apps', version: 'v1', resource: 'statefulsets' },
  { group: 'batch', version: 'v1', resource: 'jobs' },
  { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
] as const;

const METADATA = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'deletionTimestamp'];
/** Which of several parallel steps came last is left open, so the steps' own names do not count. */
const ANNOTATIONS = [
  'kudo.dev/phase',
  'kudo.dev/step',
  'kudo.dev/last-plan-execution-uid',
  'kudo.dev/last-applied-configuration',
  'bravo.kudo.dev/acted-upon',
  'bravo.kudo.dev/inventory',
  'deployment.kubernetes.io/revision',
];
/** Differ from run to run by nature: times, ids, what is random in templates, names that end in a hash. */
const VOLATILE =
  /^(uid|lastUpdatedTimestamp|lastTransitionTime|lastUpdateTime|startTime|completionTime|lastProbeTime|observedGeneration|collisionCount|currentRevision|updateRevision|token|controller-uid|batch.kubernetes.io\/controller-uid)$/;

/** What a run left in the namespace, without what differs by nature: equal for two runs that came to the same end. */
export function endState(api: SandboxApi): { [key: string]: JsonValue } {
  const state: { [key: string]: JsonValue } = {};
  for (const resource of KINDS) {
    for (const object of api.list({ ...resource, namespace: 'default' })) {
      if (object.metadata.name === 'kube-root-ca.crt') continue;
      state[`${object.kind}/${object.metadata.name}`] = normalise(object);
    }
  }
  return state;
}

function normalise(object: KubeObject): JsonValue {
  const copy = cloneJson(object) as unknown as JsonObject;
  const metadata = copy.metadata as JsonObject;
  for (const field of METADATA) delete metadata[field];
  if (isJsonObject(metadata.annotations)) for (const name of ANNOTATIONS) delete metadata.annotations[name];
  return scrub(copy);
}

function scrub(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(scrub);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !VOLATILE.test(name));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, scrub(member)]));
}
