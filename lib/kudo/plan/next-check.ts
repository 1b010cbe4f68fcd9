/** Nothing that is under way is left alone for longer than this. */
export const CEILING_MS = 60_000;
const FLOOR_MS = 1_000;

/**
 * When a plan that waits is looked at again if nothing rings: 1 s more per whole minute since its last change, at most
 * 60 s (KUDO computeTheReconcileResult as it was meant, CTL-23). Undefined for a plan that is over.
 */
export function nextCheckMs(sinceLastChangeMs: number): number {
  const minutes = Math.floor(Math.max(0, sinceLastChangeMs) / 60_000);
  return Math.min(CEILING_MS, FLOOR_MS + minutes * 1_000);
}
