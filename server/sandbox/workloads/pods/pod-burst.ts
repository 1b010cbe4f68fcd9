import { forbidden } from '../../errors/status';
import { resources } from '../core/resources';

/** Pods that one reconcile creates for an object; each of them causes another reconcile (Kubernetes BurstReplicas, MaxPodCreateDeletePerSync). */
export const MOST_AT_ONCE = 500;

/** A cluster ends at its nodes and its etcd; the sandbox keeps all objects in memory, and would end with the process. */
const MOST_PODS_OF_ONE = 20_000;

/**
 * How many of the missing pods this reconcile may create.
 * @throws StatusError 403 when the object has as many pods as the sandbox makes for one
 */
export function burst(lacking: number, present: number): number {
  const room = MOST_PODS_OF_ONE - present;
  if (lacking > 0 && room <= 0) {
    throw forbidden(resources.pods, '', `the sandbox makes no more than ${MOST_PODS_OF_ONE} pods for one object`);
  }
  return Math.max(0, Math.min(MOST_AT_ONCE, lacking, room));
}
