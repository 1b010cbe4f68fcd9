import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../base/access';
import { defaultClaimSpec } from '../base/claim-defaults';
import { defaultPodSpec } from '../pods/pod-spec-defaults';

/** Defaults of the workload kinds (Kubernetes pkg/apis/apps/v1 and batch/v1 defaults). */

function defaultTemplate(spec: JsonObject): void {
  defaultPodSpec(ensureObject(ensureObject(spec, 'template'), 'spec'));
}

export function defaultDeployment(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = ensureObject(spec, 'strategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type !== 'RollingUpdate') return;
  fill(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
}

export function defaultReplicaSet(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  fill(spec, { replicas: 1 });
}

export function defaultStatefulSet(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  fill(spec, {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  });
  fill(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  const strategy = ensureObject(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') fill(ensureObject(strategy, 'rollingUpdate'), { partition: 0 });
  for (const claim of objectsOf(spec, 'volumeClaimTemplates')) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    defaultClaimSpec(ensureObject(claim, 'spec'));
    fill(ensureObject(claim, 'status'), { phase: 'Pending' });
  }
}

export function defaultDaemonSet(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') {
    fill(ensureObject(strategy, 'rollingUpdate'), { maxSurge: 0, maxUnavailable: 1 });
  }
}

export function defaultJob(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels');
  const metadata = ensureObject(object, 'metadata');
  if (labels !== undefined && Object.keys(objectOf(metadata, 'labels') ?? {}).length === 0) {
    metadata.labels = { ...labels };
  }
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  fill(spec, { parallelism: 1, completionMode: 'NonIndexed', suspend: false, manualSelector: false });
  fill(spec, { backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647 });
  fill(spec, { podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed' });
}

export function defaultCronJob(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(ensureObject(ensureObject(spec, 'jobTemplate'), 'spec'));
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
}
