import { operatorVersionKey } from '@/lib/kudo/names';
import { instanceAsActedUpon } from '@/lib/kudo/plan/acted-upon';
import { stallOf } from '@/lib/kudo/plan/conditions';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { StoredRunMemory } from '@/server/runs/run-memory';
import { readOperatorVersion, type World } from './world';

/** What the run before has left: a process that died between the end of a run and its forgetting leaves its memory. */
export function memoryBefore(world: World, instance: Instance): StoredRunMemory | 'unknown' | undefined {
  const id = instance.metadata.uid ?? '';
  const isClean = world.forgotten.has(id) || instance.status?.planStatus === undefined;
  return world.runs.get(id) ?? (isClean ? undefined : 'unknown');
}

/** The memory of a run under way: this process's, else the stored one, else a new one; undefined without its version. */
export async function memoryOf(
  world: World,
  instance: Instance,
  scheduled: Scheduled,
  rest: { operatorVersion: OperatorVersion | undefined; actedUponVersion: OperatorVersion | undefined },
) {
  const id = instance.metadata.uid ?? '';
  const known = world.runs.get(id);
  if (known?.uid === scheduled.uid) return known;
  const hasBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  const stored = hasBegun ? await StoredRunMemory.load(world.api, instance, scheduled.uid, world.log) : undefined;
  const memory =
    stored ?? (await newMemory(world, instance, scheduled.uid, rest.actedUponVersion ?? rest.operatorVersion));
  memory?.pace.inherit(stallOf(instance)?.reason);
  if (memory !== undefined) world.runs.set(id, memory);
  return memory;
}

/**
 * For a run that this process takes up without what another one knew of it: the watch may be later than the edit of the version
 * that came before the run, so the version is read. One that is gone is what the watch knows of it.
 */
async function newMemory(
  world: World,
  instance: Instance,
  uid: string,
  watched: OperatorVersion | undefined,
): Promise<StoredRunMemory | undefined> {
  const place = operatorVersionKey(instanceAsActedUpon(instance));
  const operatorVersion = (await readOperatorVersion(world, place)) ?? watched;
  return operatorVersion === undefined
    ? undefined
    : new StoredRunMemory(uid, operatorVersion, memoryBefore(world, instance));
}

/** What a run that is over remembered goes. Interrupted, it is done when the Instance is looked at, or after the next start. */
export async function forget(world: World, instance: Instance): Promise<void> {
  const id = instance.metadata.uid ?? '';
  const memory = world.runs.get(id);
  if (memory === undefined) return;
  await memory.drop(world.api, instance);
  world.runs.delete(id);
  world.forgotten.add(id);
}
