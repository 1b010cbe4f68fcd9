import { arrayAt, getAt } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { FAIL_ANNOTATION } from '@/server/sandbox/workloads/kubelet/simulated-failures';
import type { Simulation } from './simulation';

const PODS = { group: '', version: 'v1', resource: 'pods' } as const;
/** After this time a missing image exists, and a container stops crashing. */
const HEALED_AFTER_MS = 45_000;

/** Removes the cause of the failure of each failing pod some time after the pod was created. */
export function repairPods({ sandbox, clock }: Simulation): void {
  sandbox.api.watchAll(({ type, object }) => {
    const failure = object.metadata.annotations?.[FAIL_ANNOTATION];
    if (type !== 'ADDED' || object.kind !== 'Pod' || failure === undefined || failure === 'none') return;
    const key = { ...PODS, namespace: namespaceOf(object), name: nameOf(object) };
    clock.after(HEALED_AFTER_MS, () => {
      if (sandbox.api.get(key)?.metadata.uid !== object.metadata.uid) return;
      sandbox.api.patch(key, { metadata: { annotations: { [FAIL_ANNOTATION]: 'none' } } });
    });
  });
}

/** True while a pod fails, or a repaired pod waits for the end of its container's backoff. */
export function hasFailingPods({ sandbox }: Simulation): boolean {
  return sandbox.api.list(PODS).some((pod) => {
    const waits = arrayAt(pod.status, 'containerStatuses').some(
      (each) => getAt(each, 'state', 'waiting') !== undefined,
    );
    return waits || (pod.metadata.annotations?.[FAIL_ANNOTATION] ?? 'none') !== 'none';
  });
}
