import type { KubeObject } from '@/lib/kube/object';

/** Set on a pod (template) to see how things fail: `image-pull`, `crash` or `pending`. */
export const FAIL_ANNOTATION = 'sandbox.bravo.kudo.dev/fail';

export function failureOf(pod: KubeObject): string | undefined {
  return pod.metadata.annotations?.[FAIL_ANNOTATION];
}

/** True when the image cannot be pulled: the annotation says so, or its name does (`nonexist`, `invalid`). */
export function isPullable(pod: KubeObject, image: string): boolean {
  return failureOf(pod) !== 'image-pull' && !/nonexist|invalid/i.test(image);
}

const FIRST_BACKOFF_MS = 10_000;
const LAST_BACKOFF_MS = 300_000;

/** The kubelet's back-off after the n-th failure in a row, n from 1: 10 s, 20 s … 5 min. */
export function restartBackoffMs(failures: number): number {
  return Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(Math.max(0, failures - 1), 10));
}

/** `5m0s`, `40s`: as Go prints a duration of whole seconds. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
