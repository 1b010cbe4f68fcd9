import type { JsonValue } from '@/lib/json/json';
import { arrayAt, getAt, numberAt, stringAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { failed, HEALTHY, type Health, progressing, unknown } from './verdict';

/** Healthy when Running and Ready. A pod that failed and is not started again failed for good. */
export function podHealth(pod: KubeObject): Health {
  const phase = stringAt(pod.status, 'phase') ?? 'Pending';
  if (phase === 'Running' && hasCondition(pod, 'Ready')) return HEALTHY;
  if (phase === 'Failed') return failed(podTrouble(pod) ?? 'failed');
  if (phase === 'Succeeded') return progressing('has ended');
  if (phase === 'Unknown') return unknown('its node does not say how it is');
  return progressing(podTrouble(pod) ?? (phase === 'Running' ? 'is not ready' : `is ${phase}`));
}

/**
 * What keeps a pod from being ready, in the kubelet's or the scheduler's words, or undefined when nothing special does:
 * `ImagePullBackOff`, `CrashLoopBackOff`, `exit code 1`, `Unschedulable: 0/3 nodes are available`.
 */
export function podTrouble(pod: KubeObject): string | undefined {
  if ((pod.metadata.deletionTimestamp ?? '') !== '') return undefined;
  const phase = stringAt(pod.status, 'phase');
  if (phase === 'Succeeded') return undefined;
  const scheduled = conditionByType(pod, 'PodScheduled');
  if (scheduled?.status === 'False')
    return `${scheduled.reason || 'Unschedulable'}: ${scheduled.message}`.slice(0, MAX_REASON_CHARS);
  const containers = [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')];
  for (const container of containers) {
    const waiting = stringAt(container, 'state', 'waiting', 'reason');
    if (waiting === 'CreateContainerConfigError') return configTrouble(container);
    if (waiting !== undefined && !ORDINARY_WAITS.has(waiting)) return waiting;
    const exitCode = numberAt(container, 'state', 'terminated', 'exitCode');
    if (exitCode !== undefined && exitCode !== 0) return `exit code ${exitCode}`;
  }
  if (phase === 'Failed') return stringAt(pod.status, 'reason') ?? 'failed';
  return unreadyTrouble(containers);
}

/** Only the kubelet's sentence names the Secret or ConfigMap that is missing. */
function configTrouble(container: JsonValue): string {
  const message = stringAt(container, 'state', 'waiting', 'message') ?? '';
  return ['CreateContainerConfigError', message]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, MAX_REASON_CHARS);
}

/** Sentences of the scheduler and the kubelet end up in a status, one for each pod. */
const MAX_REASON_CHARS = 300;

const ORDINARY_WAITS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function unreadyTrouble(containers: readonly unknown[]): string | undefined {
  for (const container of containers) {
    const restarts = numberAt(container, 'restartCount') ?? 0;
    const runs = getAt(container, 'state', 'running') !== undefined;
    if (restarts > 0 && runs && getAt(container, 'ready') === false) return `restarted ${restarts} times`;
  }
  return undefined;
}
