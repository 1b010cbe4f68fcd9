import { operatorVersionKey } from '@/lib/kudo/names';
import { actedUpon, instanceAsActedUpon } from '@/lib/kudo/plan/acted-upon';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { secretInputs } from '@/lib/kudo/plan/run-inputs';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { type RunKey, StoredRunMemory } from '@/server/runs/run-memory';
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
  const watched = rest.actedUponVersion ?? rest.operatorVersion;
  const hasBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  const place = { api: world.api, instance, log: world.log };
  const stored = hasBegun
    ? await StoredRunMemory.load(place, scheduled.uid, () => versionOfRun(world, instance, watched))
    : undefined;
  const key = hasBegun && isLegacyRun(instance, scheduled.uid) ? 'legacy' : newRunKey(world);
  const memory = stored ?? (await newMemory(world, instance, { uid: scheduled.uid, key, watched }));
  memory?.pace.inherit(stallOf(instance)?.reason);
  if (memory !== undefined) world.runs.set(id, memory);
  return memory;
}

/** 32 bytes of the operating system: the key of a run that begins. */
export function newRunKey(world: World): Uint8Array {
  return world.random.bytes(STREAM_KEY_BYTES);
}

/**
 * True for a run that a version before 0.2 began, whose random bytes come from public text. Only asked of a run without a
 * Secret: one of this version stores its key before it writes anything that was made with it, so without a Secret any key will do.
 */
function isLegacyRun(instance: Instance, uid: string): boolean {
  const record = actedUpon(instance);
  return record?.uid === uid && record.format === undefined;
}

async function newMemory(
  world: World,
  instance: Instance,
  run: { readonly uid: string; readonly key: RunKey; readonly watched: OperatorVersion | undefined },
): Promise<StoredRunMemory | undefined> {
  const operatorVersion = await versionOfRun(world, instance, run.watched);
  return operatorVersion === undefined
    ? undefined
    : new StoredRunMemory(
        { uid: run.uid, operatorVersion, key: run.key, inputs: secretInputs(instance, world.fingerprints) },
        memoryBefore(world, instance),
      );
}

/**
 * For a run that this process takes up without what another one knew of it: the watch may be later than the edit of the version
 * that came before the run, so the version is read. For one that was deleted, what the watch knows of it.
 */
async function versionOfRun(world: World, instance: Instance, watched: OperatorVersion | undefined) {
  const place = operatorVersionKey(instanceAsActedUpon(instance));
  return (await readOperatorVersion(world, place)) ?? watched;
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
