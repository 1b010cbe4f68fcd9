import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf, textOf } from '../base/access';
import { defaultPodSpec } from '../pods/defaults';

/** Defaults of the workload kinds (Kubernetes pkg/apis/apps/v1 and batch/v1 defaults), and what the server writes into them. */

/** The spec, with the defaults of its template. */
function specOf(object: JsonObject): JsonObject {
  const spec = ensureObject(object, 'spec');
  defaultPodSpec(ensureObject(ensureObject(spec, 'template'), 'spec'));
  return spec;
}

/** How a workload replaces its pods, with what `RollingUpdate` brings. */
function defaultStrategy(spec: JsonObject, key: string, rolling: JsonObject): void {
  const strategy = ensureObject(spec, key);
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') fill(ensureObject(strategy, 'rollingUpdate'), rolling);
}

export function defaultDeployment(object: JsonObject): void {
  const spec = specOf(object);
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  defaultStrategy(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' });
}

export function defaultReplicaSet(object: JsonObject): void {
  fill(specOf(object), { replicas: 1 });
}

export function defaultStatefulSet(object: JsonObject): void {
  const spec = specOf(object);
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  fill(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  defaultStrategy(spec, 'updateStrategy', { partition: 0 });
  for (const claim of objectsOf(spec, 'volumeClaimTemplates')) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    fill(ensureObject(claim, 'spec'), { volumeMode: 'Filesystem' });
    fill(ensureObject(claim, 'status'), { phase: 'Pending' });
  }
}

export function defaultDaemonSet(object: JsonObject): void {
  const spec = specOf(object);
  fill(spec, { revisionHistoryLimit: 10 });
  defaultStrategy(spec, 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 });
}

/** Labels that are not set become those of the template. */
function labelAsTemplate(job: JsonObject): void {
  const labels = objectOf(objectOf(objectOf(objectOf(job, 'spec'), 'template'), 'metadata'), 'labels');
  const metadata = ensureObject(job, 'metadata');
  const own = objectOf(metadata, 'labels') ?? {};
  if (labels !== undefined && Object.keys(own).length === 0) metadata.labels = { ...labels };
}

export function defaultJob(object: JsonObject): void {
  const spec = specOf(object);
  labelAsTemplate(object);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  fill(spec, {
    parallelism: 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
}

export function defaultCronJob(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  specOf(ensureObject(spec, 'jobTemplate'));
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
}

/**
 * Makes the selector of a Job and the labels of its pods from the Job's uid and name, unless `manualSelector` is set
 * (Kubernetes pkg/registry/batch/job generateSelector).
 */
export function generateSelector(job: JsonObject): void {
  const spec = ensureObject(job, 'spec');
  if (spec.manualSelector === true) return;
  const metadata = ensureObject(job, 'metadata');
  const uid = textOf(metadata, 'uid');
  const name = textOf(metadata, 'name');
  fill(ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels'), {
    'batch.kubernetes.io/controller-uid': uid,
    'controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'job-name': name,
  });
  ensureObject(ensureObject(spec, 'selector'), 'matchLabels')['batch.kubernetes.io/controller-uid'] = uid;
  labelAsTemplate(job);
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** Counts the templates that a DaemonSet had, in an annotation (Kubernetes pkg/registry/apps/daemonset, apps/v1 conversion). */
export function markTemplate(object: JsonObject, old?: JsonObject): void {
  const before = Number(textOf(objectOf(objectOf(old, 'metadata'), 'annotations'), TEMPLATE_GENERATION) || '0');
  const changed = !jsonEqual(objectOf(object, 'spec')?.template, objectOf(old, 'spec')?.template);
  const annotations = ensureObject(ensureObject(object, 'metadata'), 'annotations');
  annotations[TEMPLATE_GENERATION] = String(Math.max(1, changed ? before + 1 : before));
}
