import { type Inventory, type InventoryEntry, type InventoryRun, inventoryKey } from './inventory';

/** What one execution did, as far as objects are concerned. */
export interface PlanTrace {
  readonly plan: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly isStanding: boolean;
  /** False when it ended in a fatal error or by hand. */
  readonly isComplete: boolean;
  /** What it applied and is meant to stay. */
  readonly applied: readonly InventoryEntry[];
  /** Keys ({@link inventoryKey}) of everything that it deletes, or would have. */
  readonly removed: readonly string[];
}

/**
 * The inventory after a plan has ended (docs/decisions/021):
 *
 * - A standing plan replaces all that an earlier execution of itself left, and takes over what it applied of other plans.
 * - A plan that runs by hand only renews what belongs to a standing plan; what it alone made is not kept up.
 * - What a plan deleted is off the list; an object deleted early and applied later is on it.
 * - A plan that did not complete adds and removes nothing; when it may have touched what is on the list, the list is unsettled:
 *   nothing is put back, but what the plan deleted and did not make again is known to be missing.
 *
 * Undefined when nothing is known still: a plan by hand was the first that ended.
 */
export function afterPlan(before: Inventory | undefined, trace: PlanTrace): Inventory | undefined {
  if (!trace.isComplete) return afterFailure(before, trace);
  if (!trace.isStanding && before === undefined) return undefined;
  const applied = new Set(trace.applied.map(inventoryKey));
  const gone = new Set(trace.removed.filter((key) => !applied.has(key)));
  const runs: InventoryRun[] = [];
  const renewed = new Map<string, InventoryEntry[]>();
  for (const run of before?.runs ?? []) {
    const home = run.for ?? run.plan;
    if (trace.isStanding && home === trace.plan) continue;
    const stays = run.objects.filter((entry) => !applied.has(inventoryKey(entry)) && !gone.has(inventoryKey(entry)));
    if (stays.length > 0) runs.push({ ...run, objects: stays });
    if (trace.isStanding) continue;
    const touched = new Set(run.objects.map(inventoryKey));
    const again = trace.applied.filter((entry) => touched.has(inventoryKey(entry)));
    if (again.length > 0) renewed.set(home, [...(renewed.get(home) ?? []), ...again]);
  }
  const { plan, uid, startedAt } = trace;
  if (trace.isStanding) runs.push({ plan, uid, startedAt, objects: unique(trace.applied) });
  for (const [home, objects] of renewed) {
    runs.push({ plan, ...(home === plan ? {} : { for: home }), uid, startedAt, objects: unique(objects) });
  }
  const stillUnsettled = trace.isStanding ? undefined : before?.unsettled;
  return { ...(stillUnsettled === undefined ? {} : { unsettled: stillUnsettled }), runs };
}

function afterFailure(before: Inventory | undefined, trace: PlanTrace): Inventory | undefined {
  if (before === undefined) return undefined;
  const touched = new Set([...trace.removed, ...trace.applied.map(inventoryKey)]);
  const known = before.runs.flatMap((run) => run.objects).some((entry) => touched.has(inventoryKey(entry)));
  return trace.isStanding || known ? { ...before, unsettled: trace.plan } : before;
}

/** The last entry of each object: a later step applied it again. */
function unique(entries: readonly InventoryEntry[]): InventoryEntry[] {
  return [...new Map(entries.map((entry) => [inventoryKey(entry), entry])).values()];
}
