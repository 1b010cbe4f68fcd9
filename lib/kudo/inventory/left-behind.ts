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

/** What is remembered of older executions; the oldest go first. */
const MOST = 50;

/**
 * The inventory with the cluster-scoped objects that earlier executions gave, and that are neither on the list any more nor were
 * deleted by a plan. Nothing on such an object says which Instance gave it, so that this memory is what proves it later.
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
  // The newest execution that gave an object is the one that counts.
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
 * True when a cluster-scoped object is still what that execution gave: it was the last that wrote it, under the name of this
 * Instance, and nothing of the record was changed since. Who gave the very same bytes later wrote nothing, and may need it still:
 * see {@link sharedClaimsOf}.
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

/** What another Instance has to do with cluster-scoped objects: the keys that it was given, or that nobody can tell. */
export function sharedClaimsOf(other: Instance): ReadonlySet<string> | 'unknown' {
  if (scheduledPlan(other) !== undefined) return 'unknown';
  if (latestPlan(other) === undefined) return new Set();
  const inventory = inventoryOf(other);
  if (inventory === undefined || inventory.unsettled !== undefined) return 'unknown';
  return new Set(entriesOf(inventory).map(({ entry }) => inventoryKey(entry)));
}
