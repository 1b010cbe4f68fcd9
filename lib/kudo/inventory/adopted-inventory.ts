import type { KubeObject } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion } from '@/lib/kudo/types';
import { type Inventory, type InventoryEntry, keyOfObject } from './inventory';
import type { RenderedNames } from './rendered-names';
import { isStandingPlan } from './steady-state';

/** A live object of an Instance with the digest of what its record says was applied. */
export interface AppliedObject {
  readonly object: KubeObject;
  readonly digest: string;
}

/**
 * The inventory of an Instance that was taken over from KUDO: objects that exist, that a standing plan applied and that are still
 * rendered. KUDO left only the records on the objects, so objects that were deleted before are not in it. Jobs and Pods are not in
 * it either: whether they should exist after they have ended is unknown.
 */
export function adoptedInventory(
  applied: readonly AppliedObject[],
  names: RenderedNames,
  operatorVersion: OperatorVersion,
): Inventory {
  const entriesByRun = new Map<string, { plan: string; uid: string; objects: InventoryEntry[] }>();
  for (const { object, digest } of applied) {
    const annotations = object.metadata.annotations ?? {};
    const plan = annotations[PLAN_ANNOTATION] ?? '';
    const uid = annotations[EXECUTION_UID_ANNOTATION] ?? '';
    const { apiVersion, kind } = object;
    if (kind === 'Job' || kind === 'Pod' || !isStandingPlan(operatorVersion, plan)) continue;
    if (!names.keys.has(keyOfObject(object))) continue;
    const run = entriesByRun.get(uid) ?? { plan, uid, objects: [] };
    const [phase, step] = [annotations[PHASE_ANNOTATION] ?? '', annotations[STEP_ANNOTATION] ?? ''];
    run.objects.push({ apiVersion, kind, name: object.metadata.name ?? '', phase, step, task: '', digest });
    entriesByRun.set(uid, run);
  }
  return { runs: [...entriesByRun.values()].map((run) => ({ ...run, startedAt: '' })) };
}
