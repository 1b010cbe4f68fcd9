import { type Inventory, inventoryKey } from './inventory';
import { type RenderedNames, volatilePlace } from './rendered-names';

/** True when the inventory has objects of other executions than the given one. */
export function hasOlderRuns(inventory: Inventory, uid: string): boolean {
  return inventory.runs.some((run) => run.uid !== uid && run.objects.length > 0);
}

/**
 * The inventory without objects of older executions that no template renders any more (an upgrade dropped them, a parameter turned
 * them off): these are leftovers, and must not be restored when somebody deletes them. Unchanged when a template cannot be rendered,
 * because then it is unknown.
 */
export function withoutStale(inventory: Inventory, names: RenderedNames, uid: string): Inventory {
  if (names.problems.length > 0) return inventory;
  const runs = inventory.runs.map((run) => {
    if (run.uid === uid) return run;
    const objects = run.objects.filter(
      (entry) =>
        names.keys.has(inventoryKey(entry)) ||
        names.volatile.has(volatilePlace({ ...entry, plan: run.plan }, entry.kind)),
    );
    return { ...run, objects };
  });
  return { ...inventory, runs: runs.filter((run) => run.uid === uid || run.objects.length > 0) };
}
