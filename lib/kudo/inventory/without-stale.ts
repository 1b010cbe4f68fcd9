import { type Inventory, inventoryKey } from './inventory';
import { type RenderedNames, volatilePlace } from './rendered-names';

/** True when an execution other than the given one left something on the list. */
export function hasOlderRuns(inventory: Inventory, uid: string): boolean {
  return inventory.runs.some((run) => run.uid !== uid && run.objects.length > 0);
}

/**
 * The inventory without what older executions left and no template renders any more (an upgrade dropped it, a parameter
 * turned it off): that is left over, and must not come back once somebody has removed it. Unchanged when a template cannot be
 * rendered, because then nobody knows.
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
