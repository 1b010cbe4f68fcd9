import { parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** `status.phase`, `Pending` when it is not written yet. */
export function phaseOf(pod: KubeObject): string {
  return stringAt(pod, 'status', 'phase') ?? 'Pending';
}

/** True for a pod that is going away. */
export function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** True for a pod whose containers have all ended for good. */
export function isFinished(pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Kubernetes controller.IsPodActive: neither finished nor terminating. */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

/** The condition of a type, e.g. `Ready`. */
export function conditionOf(object: KubeObject, type: string): JsonValue | undefined {
  return arrayAt(object, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === type);
}

export function isReady(pod: KubeObject): boolean {
  return stringAt(conditionOf(pod, 'Ready'), 'status') === 'True';
}

/**
 * Kubernetes podutil.IsPodAvailable: ready for at least `minReadySeconds`. A number says in how many milliseconds a
 * ready pod becomes available.
 */
export function availability(pod: KubeObject, minReadySeconds: number, nowMs: number): true | false | number {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = parseTime(stringAt(conditionOf(pod, 'Ready'), 'lastTransitionTime'));
  if (sinceMs === undefined) return false;
  const leftMs = sinceMs + minReadySeconds * 1000 - nowMs;
  return leftMs <= 0 ? true : leftMs;
}

/** How many pods are available, and in how many milliseconds the next one will be. */
export function countAvailable(
  pods: readonly KubeObject[],
  minReadySeconds: number,
  nowMs: number,
): { readonly available: number; readonly waitMs: number | undefined } {
  const states = pods.map((pod) => availability(pod, minReadySeconds, nowMs));
  const waits = states.filter((state) => typeof state === 'number');
  const available = states.filter((state) => state === true).length;
  return { available, waitMs: waits.length === 0 ? undefined : Math.min(...waits) };
}

/** `metadata.creationTimestamp` in milliseconds, 0 when there is none. */
export function createdMs(object: KubeObject): number {
  return parseTime(object.metadata.creationTimestamp) ?? 0;
}
