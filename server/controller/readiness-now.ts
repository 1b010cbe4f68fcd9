import { parseTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { type Readiness, readinessOfResources } from '@/lib/kudo/plan/readiness';
import type { Instance } from '@/lib/kudo/types';
import { MOUNT_PATIENCE_MS, mountFailure } from '@/server/tasks/mount-failure';
import { podsBeingSetUp, resourceProblems } from './resource-health';
import type { World } from './world';

/** Nothing rings when the kubelet says anew why a pod cannot be set up. */
const LOOK_AGAIN_MS = 60_000;
const AND_A_BIT_MS = 1_000;

/**
 * The readiness of an idle Instance by its resources, and when to look again by itself: a pod that hangs before its first container
 * does not change any more, and what it waits for stands in an event alone.
 */
export async function readinessNow(
  world: Pick<World, 'watches' | 'api' | 'clock'>,
  instance: Instance,
): Promise<{ readonly readiness: Readiness; readonly afterMs: number | undefined }> {
  const { watches, clock } = world;
  const [namespace, name] = [namespaceOf(instance), nameOf(instance)];
  // One is enough: the others hang on the same, as a rule.
  const [pod] = podsBeingSetUp(watches, namespace, name);
  const failure = pod === undefined ? undefined : await mountFailure(pod, { ...world, podsOf: () => [] });
  const failures = new Map<KubeObject, string>();
  if (pod !== undefined && failure !== undefined) failures.set(pod, failure);
  const readiness = readinessOfResources(resourceProblems(watches, namespace, name, failures));
  return { readiness, afterMs: pod === undefined ? undefined : lookAgainMs(pod, clock.now()) };
}

function lookAgainMs(pod: KubeObject, nowMs: number): number {
  const ageMs = nowMs - (parseTime(stringAt(pod.status, 'startTime')) ?? nowMs);
  return ageMs < MOUNT_PATIENCE_MS
    ? Math.min(MOUNT_PATIENCE_MS, MOUNT_PATIENCE_MS - ageMs) + AND_A_BIT_MS
    : LOOK_AGAIN_MS;
}
