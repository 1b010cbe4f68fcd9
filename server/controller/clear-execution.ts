import { CLEANUP_FINALIZER, CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import { withRunHistory } from '@/lib/kudo/plan/recorded-run';
import { executionOf, hasEnded, type Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import { withInventory } from './inventory-write';
import type { World } from './world';

/**
 * The last write of a run: `planExecution` is emptied, the inventory says what the run left, and the history that it ran. A webhook that knows no
 * better refuses that as a cancellation; it clears the field itself when the terminal status is written (engine 3.3).
 */
export async function clearExecution(
  world: World,
  ended: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<void> {
  const status = ended.status?.planStatus?.[scheduled.plan]?.status ?? 'COMPLETE';
  const instance = await withEnd(world, ended, scheduled, memory);
  const { planExecution: _, ...spec } = instance.spec ?? {};
  const metadata = metadataAfter(instance, memory);
  try {
    await world.store.write({ ...instance, metadata, spec: { ...spec, planExecution: {} } });
  } catch (error) {
    if (!isDenied(error)) throw error;
    await world.store.write({ ...instance, spec: { ...spec, planExecution: executionOf(scheduled, status) } });
  }
  world.upkeep.planEnded(instance);
}

/**
 * The Instance of an execution that begins, with what the one before has left: a person may start the next plan between the
 * status that tells of the end and the write that empties `planExecution`, and then that write never comes.
 */
export async function withEndBefore(
  world: World,
  known: Instance,
  { instance, scheduled }: { readonly instance: Instance; readonly scheduled: Scheduled },
): Promise<Instance> {
  const memory = world.runs.get(known.metadata.uid ?? '');
  if (memory === undefined || memory.uid === scheduled.uid) return instance;
  const [plan] = Object.entries(known.status?.planStatus ?? {}).find(([, { uid }]) => uid === memory.uid) ?? [];
  const before = plan === undefined ? undefined : { plan, uid: memory.uid };
  return before === undefined || !hasEnded(known, before) ? instance : withEnd(world, instance, before, memory);
}

/** With what the run left, and with the run in the history. */
async function withEnd(world: World, ended: Instance, scheduled: Scheduled, memory: StoredRunMemory | undefined) {
  const times = memory?.uid === scheduled.uid ? memory.times : undefined;
  return withRunHistory(await withInventory(world, ended, scheduled, memory), { uid: scheduled.uid, times });
}

/** Without our finalizer when there is no cleanup plan that it waits for, and never was (engine 7.1, CTL-11). */
function metadataAfter({ metadata, status }: Instance, memory: StoredRunMemory | undefined): Instance['metadata'] {
  const isLoose =
    memory !== undefined &&
    !hasPlan(memory.operatorVersion, CLEANUP_PLAN) &&
    status?.planStatus?.[CLEANUP_PLAN] === undefined &&
    metadata.finalizers?.includes(CLEANUP_FINALIZER) === true;
  if (!isLoose) return metadata;
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  return { ...metadata, finalizers };
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && /admission webhook .* denied the request/.test(error.message);
}
