import { hasCondition } from '@/lib/kube/conditions';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { HealthCheck } from '@/lib/kudo/health-checks/types';
import { INSTANCE_LABEL, PIPE_POD_ANNOTATION } from '@/lib/kudo/names';
import { limits } from '@/lib/limits/limits';

/** The ready pods of an Instance. Pods of Jobs and pipes are none of them. */
export function readyPodsOf(pods: readonly KubeObject[], instance: string): KubeObject[] {
  return pods.filter((pod) => pod.metadata.labels?.[INSTANCE_LABEL] === instance && isServing(pod));
}

/** Those of the ready pods that a check runs in, by name. */
export function podsToCheck(
  pods: readonly KubeObject[],
  { pods: labels = {}, mode }: Pick<HealthCheck, 'pods' | 'mode'>,
): KubeObject[] {
  const wanted = Object.entries(labels);
  const found = pods
    .filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return found.slice(0, mode === 'first' ? 1 : limits.healthPods);
}

function isServing(pod: KubeObject): boolean {
  const { deletionTimestamp, annotations = {}, ownerReferences = [] } = pod.metadata;
  if ((deletionTimestamp ?? '') !== '' || Object.hasOwn(annotations, PIPE_POD_ANNOTATION)) return false;
  return hasCondition(pod, 'Ready') && !ownerReferences.some(({ kind }) => kind === 'Job');
}
