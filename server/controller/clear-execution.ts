import { withRunHistory } from '@/lib/kudo/plan/recorded-run';
import { executionOf, type Scheduled } from '@/lib/kudo/plan/scheduled';
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
  const times = memory?.uid === scheduled.uid ? memory.times : undefined;
  const instance = withRunHistory(await withInventory(world, ended, scheduled, memory), { uid: scheduled.uid, times });
  const { planExecution: _, ...spec } = instance.spec ?? {};
  try {
    await world.store.write({ ...instance, spec: { ...spec, planExecution: {} } });
  } catch (error) {
    if (!isDenied(error)) throw error;
    await world.store.write({ ...instance, spec: { ...spec, planExecution: executionOf(scheduled, status) } });
  }
  world.upkeep.planEnded(instance);
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && /admission webhook .* denied the request/.test(error.message);
}
