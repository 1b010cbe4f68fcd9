import type { KubeObject } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, INSTANCE_LABEL } from '@/lib/kudo/names';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import type { PlanTrace } from './after-plan';
import {
  entriesOf,
  type Inventory,
  type InventoryEntry,
  type InventoryRun,
  inventoryKey,
  inventoryOf,
} from './inventory';
import { isAsApplied } from './shared-object';

/** At most so many objects of older executions are kept; the oldest are dropped first. */
const MOST = 50;

/**
 * The inventory with the cluster-scoped objects that earlier executions applied, that are no longer in it, and that no plan deleted.
 * Nothing on such an object says which Instance applied it, so this list is the later proof.
 */
export function withLeftBehind(
  before: Inventory | undefined,
  after: Inventory,
  trace: Pick<PlanTrace, 'applied' | 'removed'>,
  isShared: (entry: InventoryEntry) => boolean,
): Inventory {
  const { behind: _, ...rest } = after;
  const known = new Set([...entriesOf(after).map(({ entry }) => entry), ...trace.applied].map(inventoryKey));
  for (const key of trace.removed) known.add(key);
  const runs: InventoryRun[] = [];
  let room = MOST;
  // The newest execution that applied an object counts.
  const given = (before?.runs ?? []).map((run) => ({ ...run, objects: run.objects.filter(isShared) }));
  for (const run of [...(before?.behind ?? []), ...given].reverse()) {
    const objects = run.objects.filter((entry) => !known.has(inventoryKey(entry))).slice(0, room);
    if (objects.length === 0) continue;
    for (const entry of objects) known.add(inventoryKey(entry));
    room -= objects.length;
    runs.unshift({ ...run, objects });
  }
  return runs.length === 0 ? rest : { ...rest, behind: runs };
}

/**
 * True when a cluster-scoped object is still as that execution applied it: the execution was the last that wrote it, under the name of
 * this Instance, and its record has not changed since. Another Instance that applied the same bytes later wrote nothing, and may
 * still need the object: see {@link sharedClaimsOf}.
 */
export function isStillLeftBehind(
  run: InventoryRun,
  entry: InventoryEntry,
  live: KubeObject,
  instance: string,
): boolean {
  const { deletionTimestamp, annotations, labels } = live.metadata;
  return (
    (deletionTimestamp ?? '') === '' &&
    annotations?.[EXECUTION_UID_ANNOTATION] === run.uid &&
    labels?.[INSTANCE_LABEL] === instance &&
    isAsApplied(entry, live)
  );
}

/** The keys of the cluster-scoped objects that another Instance needs, or `unknown`. */
export function sharedClaimsOf(other: Instance): ReadonlySet<string> | 'unknown' {
  if (scheduledPlan(other) !== undefined) return 'unknown';
  if (latestPlan(other) === undefined) return new Set();
  const inventory = inventoryOf(other);
  if (inventory === undefined || inventory.unsettled !== undefined) return 'unknown';
  return new Set(entriesOf(inventory).map(({ entry }) => inventoryKey(entry)));
}
