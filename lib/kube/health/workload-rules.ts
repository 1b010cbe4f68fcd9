import { getAt, isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { failed, HEALTHY, type Health, type HealthRule, progressing } from './verdict';

/** Rules for what makes pods, by `group/Kind`. */
export const workloadHealthRules: readonly (readonly [string, HealthRule])[] = [
  ['apps/Deployment', deploymentHealth],
  ['apps/StatefulSet', statefulSetHealth],
  ['apps/DaemonSet', daemonSetHealth],
  ['apps/ReplicaSet', replicaSetHealth],
  ['/ReplicationController', replicaSetHealth],
  ['batch/Job', jobHealth],
];

/** Undefined when the kind's controller has seen the latest change. */
function unobserved(object: KubeObject): Health | undefined {
  const observed = numberAt(object.status, 'observedGeneration');
  if (observed === undefined) return progressing('has not been observed yet');
  return observed < (object.metadata.generation ?? 0)
    ? progressing('its latest change has not been observed yet')
    : undefined;
}

function deploymentHealth(object: KubeObject): Health {
  const waiting = unobserved(object);
  if (waiting !== undefined) return waiting;
  const wanted = numberAt(object.spec, 'replicas') ?? 1;
  const updated = numberAt(object.status, 'updatedReplicas') ?? 0;
  const all = numberAt(object.status, 'replicas') ?? 0;
  const available = numberAt(object.status, 'availableReplicas') ?? 0;
  const late = conditionByType(object, 'Progressing')?.reason === 'ProgressDeadlineExceeded';
  const suffix = late ? '; its progress deadline is exceeded' : '';
  if (updated < wanted) return progressing(`${updated} of ${wanted} updated${suffix}`);
  if (all > updated)
    return progressing(`${all - updated} old ${all - updated === 1 ? 'pod' : 'pods'} still there${suffix}`);
  if (available < updated) return progressing(`${available} of ${updated} available${suffix}`);
  return late ? progressing('its progress deadline is exceeded') : HEALTHY;
}

function statefulSetHealth(object: KubeObject): Health {
  const waiting = unobserved(object);
  if (waiting !== undefined) return waiting;
  const wanted = numberAt(object.spec, 'replicas') ?? 1;
  const ready = numberAt(object.status, 'readyReplicas') ?? 0;
  const updated = numberAt(object.status, 'updatedReplicas') ?? 0;
  if (ready < wanted) return progressing(`${ready} of ${wanted} ready`);
  // With OnDelete nobody but a person replaces pods: waiting for the update would be for ever (T-07).
  if (stringAt(object.spec, 'updateStrategy', 'type') === 'OnDelete') return HEALTHY;
  // As `kubectl rollout status` and KUDO read it: where the strategy has members (the API sets them), numbers decide.
  if (isJsonObject(getAt(object.spec, 'updateStrategy', 'rollingUpdate'))) {
    const due = Math.max(0, wanted - (numberAt(object.spec, 'updateStrategy', 'rollingUpdate', 'partition') ?? 0));
    return updated < due ? progressing(`${updated} of ${due} updated`) : HEALTHY;
  }
  const current = stringAt(object.status, 'currentRevision');
  const update = stringAt(object.status, 'updateRevision');
  return current === update ? HEALTHY : progressing(`${updated} of ${wanted} updated`);
}

function daemonSetHealth(object: KubeObject): Health {
  const waiting = unobserved(object);
  if (waiting !== undefined) return waiting;
  const wanted = numberAt(object.status, 'desiredNumberScheduled') ?? 0;
  const updated = numberAt(object.status, 'updatedNumberScheduled') ?? 0;
  const available = numberAt(object.status, 'numberAvailable') ?? 0;
  const replaces = stringAt(object.spec, 'updateStrategy', 'type') !== 'OnDelete';
  if (replaces && updated < wanted) return progressing(`${updated} of ${wanted} updated`);
  return available < wanted ? progressing(`${available} of ${wanted} available`) : HEALTHY;
}

function replicaSetHealth(object: KubeObject): Health {
  const waiting = unobserved(object);
  if (waiting !== undefined) return waiting;
  const wanted = numberAt(object.spec, 'replicas') ?? 1;
  const available = numberAt(object.status, 'availableReplicas') ?? 0;
  return available < wanted ? progressing(`${available} of ${wanted} available`) : HEALTHY;
}

function jobHealth(object: KubeObject): Health {
  const failure = conditionByType(object, 'Failed');
  if (failure?.status === 'True') {
    const text = [failure.reason, failure.message].filter((part) => part !== '').join(': ');
    return failed(text === '' ? 'failed' : `failed: ${text}`);
  }
  if (hasCondition(object, 'Complete')) return HEALTHY;
  if (getAt(object.spec, 'suspend') === true) return progressing('is suspended');
  const succeeded = numberAt(object.status, 'succeeded') ?? 0;
  const active = numberAt(object.status, 'active') ?? 0;
  const completions = numberAt(object.spec, 'completions');
  const parallelism = numberAt(object.spec, 'parallelism') ?? 1;
  // Without completions a parallel Job is done when one pod succeeded and none is left (Kubernetes work queue Jobs).
  const isDone =
    completions === undefined && parallelism > 1 ? succeeded > 0 && active === 0 : succeeded >= (completions ?? 1);
  if (isDone) return HEALTHY;
  const failures = numberAt(object.status, 'failed') ?? 0;
  const tries = failures > 0 ? `, ${failures} failed` : '';
  return progressing(`${succeeded} of ${completions ?? 1} completed${tries}`);
}
