import { ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { afterPlan } from '@/lib/kudo/inventory/after-plan';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import {
  entriesOf,
  formatInventory,
  INVENTORY_ANNOTATION,
  type Inventory,
  type InventoryEntry,
  type InventoryRun,
  inventoryOf,
} from '@/lib/kudo/inventory/inventory';
import { withLeftBehind } from '@/lib/kudo/inventory/left-behind';
import { hasDigest } from '@/lib/kudo/inventory/manifest-digest';
import { renderedNames } from '@/lib/kudo/inventory/rendered-names';
import { isStandingPlan } from '@/lib/kudo/inventory/steady-state';
import { hasOlderRuns, withoutStale } from '@/lib/kudo/inventory/without-stale';
import { EXECUTION_UID_ANNOTATION } from '@/lib/kudo/names';
import { instanceOfRun } from '@/lib/kudo/plan/run-inputs';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { isRunning } from '@/lib/kudo/plan/status';
import { skippedStepsOf } from '@/lib/kudo/runs/steering';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { Instance } from '@/lib/kudo/types';
import { keepObjects, loadKeptObjects } from '@/server/inventory/kept-objects';
import { type LeftByPlan, leftByPlan } from '@/server/inventory/left-by-plan';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';
import { runContextOf } from './run-context';

/** The message of a plan whose status a person wrote (T-09): it says nothing about what the plan did. */
export const ENDED_BY_HAND = 'The plan was ended by hand.';

/**
 * The Instance with the inventory as a plan that has ended leaves it, for the write that empties `planExecution`: no request
 * of its own. With self-heal on the manifests go into their Secret first. What cannot be determined makes the inventory
 * unsettled, and a log line says why; a server that did not answer is asked again, and the run is cleared then.
 */
export async function withInventory(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<Instance> {
  const before = inventoryOf(instance);
  const status = instance.status?.planStatus?.[scheduled.plan];
  const isComplete = status?.status === 'COMPLETE' && status.message !== ENDED_BY_HAND;
  try {
    const after = await inventoryAfter(deps, instance, scheduled, { memory, before, isComplete });
    return after === undefined ? instance : annotated(deps, instance, after);
  } catch (error) {
    if (error instanceof TransientError || error instanceof ConflictError) throw error;
    deps.log.warn('inventory.unknown', { instance: keyOf(instance), problem: messageOf(error) });
    return before === undefined ? instance : annotated(deps, instance, { ...before, unsettled: scheduled.plan });
  }
}

interface Ended {
  readonly memory: StoredRunMemory | undefined;
  readonly before: Inventory | undefined;
  readonly isComplete: boolean;
}

async function inventoryAfter(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled, ended: Ended) {
  const { memory, before, isComplete } = ended;
  if (memory === undefined) return before === undefined ? undefined : { ...before, unsettled: scheduled.plan };
  const { operatorVersion } = memory;
  const adds = isComplete && isStandingPlan(operatorVersion, scheduled.plan);
  if (before === undefined && !adds) return undefined;
  // After a restart nothing may have been looked up yet; a kind that is not known would count as one in a namespace.
  if (before !== undefined) await deps.kinds.resolve('v1', 'ConfigMap');
  const isSkipped = skippedStepsOf(instance.status?.planStatus?.[scheduled.plan]);
  const left = await leftByPlan(runContextOf(deps, instance, scheduled, memory), isComplete, isSkipped);
  const merged = afterPlan(before, left.trace);
  if (merged === undefined) return undefined;
  const listed = isComplete
    ? await withoutUnsure(deps, instance, before, { after: fresh(deps, instance, memory, merged), uid: memory.uid })
    : merged;
  const after = withLeftBehind(before, listed, left.trace, ({ apiVersion, kind }) => isShared(deps, apiVersion, kind));
  const kept: Inventory['kept'] = isSelfHealing(instance, operatorVersion) ? 'all' : 'irreplaceable';
  const isKept = await keep(deps, instance, { kept, before, after, left });
  return isKept ? { ...after, kept } : after;
}

/** True for a cluster-scoped kind. What has been applied is known to discovery. */
function isShared({ kinds }: ReconcilerDeps, apiVersion: string, kind: string): boolean {
  return kinds.known(apiVersion, kind)?.namespaced === false;
}

/** Only where several plans share the work is there anything to render for this. */
function fresh(deps: ReconcilerDeps, instance: Instance, memory: StoredRunMemory, inventory: Inventory): Inventory {
  if (!hasOlderRuns(inventory, memory.uid)) return inventory;
  const scopeOf = (apiVersion: string, kind: string) => (isShared(deps, apiVersion, kind) ? 'cluster' : 'namespaced');
  const names = renderedNames(
    memory.operatorVersion,
    instanceOfRun(instance, deps.fingerprints, memory.inputs),
    scopeOf,
    deps.kinds.serves,
  );
  return withoutStale(inventory, names, memory.uid);
}

/**
 * When a list becomes settled again: what older executions left and the plan that did not end well has touched since is not on
 * it. An object that does not exist now may have been deleted by that plan, and so does not come back; what it applied is not undone.
 */
async function withoutUnsure(
  deps: ReconcilerDeps,
  instance: Instance,
  before: Inventory | undefined,
  { after, uid }: { after: Inventory; uid: string },
): Promise<Inventory> {
  if (before?.unsettled === undefined || after.unsettled !== undefined) return after;
  const runs: InventoryRun[] = [];
  for (const run of after.runs) {
    const objects: InventoryEntry[] = [];
    for (const entry of run.objects) {
      const { apiVersion, kind, name } = entry;
      const metadata = { name, namespace: namespaceOf(instance) };
      const target = run.uid === uid ? undefined : await deps.kinds.targetOf({ apiVersion, kind, metadata });
      if (target === undefined || isAsLeft(entry, run, await deps.api.get(target), deps.fingerprints))
        objects.push(entry);
    }
    if (objects.length > 0 || run.uid === uid) runs.push({ ...run, objects });
  }
  return { ...after, runs };
}

/** False for an object that is gone, or that another execution has applied with other content. */
function isAsLeft(
  { digest }: InventoryEntry,
  { uid }: InventoryRun,
  live: KubeObject | undefined,
  fingerprints: Fingerprinter,
): boolean {
  if (live === undefined) return false;
  const by = live.metadata.annotations?.[EXECUTION_UID_ANNOTATION];
  if (digest === '' || by === undefined || by === uid) return true;
  const record = appliedManifest(live);
  return record === undefined || hasDigest(record, digest, fingerprints);
}

/**
 * The Instance at the start of an execution: when that takes the place of another plan that had begun, what that one left is
 * not known.
 */
export function withoutTrust(instance: Instance, scheduled: Scheduled): Instance {
  const inventory = inventoryOf(instance);
  const replaced = Object.entries(instance.status?.planStatus ?? {}).find(
    ([plan, { status, uid }]) => plan !== scheduled.plan && isRunning(status) && (uid ?? '') !== '',
  );
  const text =
    inventory === undefined || replaced === undefined
      ? undefined
      : formatInventory({ ...inventory, unsettled: replaced[0] });
  if (text === undefined) return instance;
  const annotations = { ...instance.metadata.annotations, [INVENTORY_ANNOTATION]: text };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/**
 * Puts the manifest of every entry, or of those that are irreplaceable, into the Secret; nothing is sent when there is none.
 * False when one is not known, when there is none, or when they are too many.
 */
async function keep(
  deps: ReconcilerDeps,
  instance: Instance,
  about: { kept: NonNullable<Inventory['kept']>; before: Inventory | undefined; after: Inventory; left: LeftByPlan },
): Promise<boolean> {
  const { kept, before, after, left } = about;
  const all = entriesOf(after).map(({ entry }) => entry.digest);
  // Of an earlier run that knew which are irreplaceable only the Secret tells.
  const mayNeed = (digest: string) => left.irreplaceable.has(digest) || !left.manifests.has(digest);
  const digests = kept === 'all' ? all : all.filter(mayNeed);
  if (kept !== 'all' && before?.kept === undefined && !digests.some((digest) => left.irreplaceable.has(digest)))
    return false;
  const isOld = (digest: string) => digest !== '' && !left.manifests.has(digest);
  const earlier =
    before?.kept !== undefined && digests.some(isOld)
      ? await loadKeptObjects(deps.api, instance, deps.log)
      : new Map<string, KubeObject>();
  const manifests = new Map<string, KubeObject>();
  for (const digest of digests) {
    const manifest = left.manifests.get(digest) ?? earlier.get(digest);
    if (manifest !== undefined) manifests.set(digest, manifest);
  }
  const isWhole = kept !== 'all' || digests.every((digest) => digest === '' || manifests.has(digest));
  try {
    return (await keepObjects(deps.api, instance, manifests, deps.log)) && isWhole;
  } catch (error) {
    if (error instanceof TransientError || error instanceof ConflictError) throw error;
    deps.log.warn('inventory.not-kept', { instance: keyOf(instance), problem: messageOf(error) });
    return false;
  }
}

function annotated(deps: ReconcilerDeps, instance: Instance, inventory: Inventory): Instance {
  const { [INVENTORY_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  const text = formatInventory(inventory);
  if (text !== undefined) annotations[INVENTORY_ANNOTATION] = text;
  else deps.log.warn('inventory.too-many-objects', { instance: keyOf(instance), objects: entriesOf(inventory).length });
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}
