import { parseTime } from '@/lib/clock/clock';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { phaseOf } from '../pods/pod-state';
import { hasFailed } from './job-pods';

/** The first wait after a failed pod, and the longest (Kubernetes DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff). */
const FIRST_MS = 10_000;
const LAST_MS = 600_000;

/** How long to wait still after so many failures in a row. */
function remainingMs(failures: number, lastFailureMs: number, nowMs: number): number {
  if (failures === 0) return 0;
  const waitMs = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return lastFailureMs + waitMs - nowMs;
}

/** The same for all pods of a Job: failures since the last success (newBackoffRecord). */
export function jobWaitMs(pods: readonly KubeObject[], nowMs: number): number {
  const endsOf = (ended: readonly KubeObject[]) => ended.map((pod) => endMsOf(pod) ?? nowMs);
  const lastSuccessMs = Math.max(-1, ...endsOf(pods.filter((pod) => phaseOf(pod) === 'Succeeded')));
  const failures = endsOf(pods.filter((pod) => hasFailed(pod))).filter((endMs) => endMs > lastSuccessMs);
  return remainingMs(failures.length, Math.max(0, ...failures), nowMs);
}

/** When a pod ended: its last container, else when it was not ready any more, or deleted. */
function endMsOf(pod: KubeObject): number | undefined {
  const times = arrayAt(pod, 'status', 'containerStatuses')
    .map((status) => parseTime(stringAt(status, 'state', 'terminated', 'finishedAt')))
    .filter((ms) => ms !== undefined);
  if (times.length > 0) return Math.max(...times);
  const ready = arrayAt(pod, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
  return parseTime(stringAt(ready, 'lastTransitionTime')) ?? parseTime(pod.metadata.deletionTimestamp);
}
