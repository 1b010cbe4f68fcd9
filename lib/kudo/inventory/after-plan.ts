import { type Inventory, type InventoryEntry, type InventoryRun, inventoryKey } from './inventory';

/** Which objects one execution applied and deleted. */
export interface PlanTrace {
  readonly plan: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly isStanding: boolean;
  /** False when it ended in a fatal error or by hand. */
  readonly isComplete: boolean;
  /** The steady objects that it applied. */
  readonly applied: readonly InventoryEntry[];
  /** Keys ({@link inventoryKey}) of the objects that it deleted or, when it failed, may have deleted. */
  readonly removed: readonly string[];
}

/**
 * The inventory after a plan has ended (docs/decisions/021):
 *
 * - A standing plan replaces the objects of its earlier execution, and takes over objects of other plans that it applied.
 * - A plan that is run by hand only renews objects of standing plans; objects that it alone created are not added.
 * - Objects that a plan deleted are removed; an object deleted early and applied later stays.
 * - A plan that did not complete adds and removes nothing. When it may have touched objects of the inventory, the inventory is
 *   unsettled: self-heal restores nothing, but a workload that the plan deleted is reported as missing.
 *
 * Undefined when there is no inventory still: a plan by hand was the first that ended.
 */
export function afterPlan(before: Inventory | undefined, trace: PlanTrace): Inventory | undefined {
  if (!trace.isComplete) return afterFailure(before, trace);
  if (trace.isStanding) return afterStandingPlan(before, trace);
  return before === undefined ? undefined : afterPlanByHand(before, trace);
}

function afterStandingPlan(before: Inventory | undefined, trace: PlanTrace): Inventory {
  const { plan, uid, startedAt } = trace;
  const others = (before?.runs ?? []).filter((run) => homeOf(run) !== plan);
  return { runs: [...untouched(others, trace), { plan, uid, startedAt, objects: unique(trace.applied) }] };
}

function afterPlanByHand(before: Inventory, trace: PlanTrace): Inventory {
  const { plan, uid, startedAt } = trace;
  const renewed = new Map<string, InventoryEntry[]>();
  for (const run of before.runs) {
    const listed = new Set(run.objects.map(inventoryKey));
    const again = trace.applied.filter((entry) => listed.has(inventoryKey(entry)));
    if (again.length > 0) renewed.set(homeOf(run), [...(renewed.get(homeOf(run)) ?? []), ...again]);
  }
  const runs = [...renewed].map(([home, objects]) => {
    return { plan, ...(home === plan ? {} : { for: home }), uid, startedAt, objects: unique(objects) };
  });
  const unsettled = before.unsettled === undefined ? {} : { unsettled: before.unsettled };
  return { ...unsettled, runs: [...untouched(before.runs, trace), ...runs] };
}

/** The standing plan that the objects of a run belong to. */
function homeOf(run: InventoryRun): string {
  return run.for ?? run.plan;
}

/** The runs without what the plan applied or deleted. */
function untouched(runs: readonly InventoryRun[], { applied, removed }: PlanTrace): InventoryRun[] {
  const touched = new Set([...applied.map(inventoryKey), ...removed]);
  return runs
    .map((run) => ({ ...run, objects: run.objects.filter((entry) => !touched.has(inventoryKey(entry))) }))
    .filter(({ objects }) => objects.length > 0);
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
