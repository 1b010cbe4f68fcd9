import { operatorVersionKey } from '@/lib/kudo/names';
import { instanceAsActedUpon } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { type SecretInputs, secretInputs } from '@/lib/kudo/plan/run-inputs';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import { sourcesOf, sourceText } from '@/lib/kudo/sources/parameter-source';
import type { SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { valuesAt } from '@/server/parameters/with-read-values';
import { type RunKey, StoredRunMemory } from '@/server/runs/run-memory';
import { type ReconcilerDeps, readOperatorVersion } from './reconciler-deps';

/** What the run before has left: a process that died between the end of a run and its forgetting leaves its memory. */
export function memoryBefore(deps: ReconcilerDeps, instance: Instance): StoredRunMemory | 'unknown' | undefined {
  const id = instance.metadata.uid ?? '';
  const isClean = deps.forgotten.has(id) || instance.status?.planStatus === undefined;
  return deps.runs.get(id) ?? (isClean ? undefined : 'unknown');
}

/** What a reconcile has read beside the Instance. */
export interface Found {
  readonly operatorVersion: OperatorVersion | undefined;
  readonly actedUponVersion: OperatorVersion | undefined;
  readonly reads: SourceReads;
}

/** The memory of a run under way: this process's, else the stored one, else a new one; undefined without its version. */
export async function memoryOf(deps: ReconcilerDeps, instance: Instance, scheduled: Scheduled, rest: Found) {
  const id = instance.metadata.uid ?? '';
  const known = deps.runs.get(id);
  if (known?.uid === scheduled.uid) return known;
  const watched = rest.actedUponVersion ?? rest.operatorVersion;
  const hasBegun = instance.status?.planStatus?.[scheduled.plan]?.uid === scheduled.uid;
  const place = { api: deps.api, instance, log: deps.log };
  const stored = hasBegun
    ? await StoredRunMemory.load(place, scheduled.uid, () => versionOfRun(deps, instance, watched))
    : undefined;
  const key = hasBegun && isLegacyRun(instance, scheduled.uid) ? 'legacy' : newRunKey(deps);
  const memory = stored ?? (await newMemory(deps, instance, { uid: scheduled.uid, key, watched, reads: rest.reads }));
  memory?.pace.inherit(stallOf(instance)?.reason);
  if (memory !== undefined) deps.runs.set(id, memory);
  return memory;
}

/**
 * The inputs of a run that the record on the Instance names: its secret values and those of its sources, as far as they are known.
 * A source that has changed since gives its present value; the plan of that change follows.
 */
export function inputsOf(
  deps: Pick<ReconcilerDeps, 'fingerprints'>,
  instance: Instance,
  reads: SourceReads,
): SecretInputs {
  return { ...valuesAt(actedUpon(instance)?.sources ?? {}, reads), ...secretInputs(instance, deps.fingerprints) };
}

/** Completes the inputs of a run from sources whose values this process did not know; says what is missing still. */
export function missingInput(memory: StoredRunMemory, instance: Instance, reads: SourceReads): string | undefined {
  const { sources = {}, fingerprints = {} } = actedUpon(instance) ?? {};
  const lacking = Object.entries(sources).filter(
    ([name]) => Object.hasOwn(fingerprints, name) && !Object.hasOwn(memory.inputs, name),
  );
  if (lacking.length === 0) return undefined;
  memory.inputs = { ...memory.inputs, ...valuesAt(Object.fromEntries(lacking), reads) };
  const optional = new Set(sourcesOf(instance.spec).flatMap((one) => (one.isOptional ? [sourceText(one)] : [])));
  for (const [, text] of lacking) {
    const read = reads.get(text);
    if (read !== undefined && 'problem' in read && !(read.isAbsent && optional.has(text))) return read.problem;
  }
  return undefined;
}

/** 32 bytes of the operating system: the key of a run that begins. */
export function newRunKey(deps: ReconcilerDeps): Uint8Array {
  return deps.random.bytes(STREAM_KEY_BYTES);
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
  deps: ReconcilerDeps,
  instance: Instance,
  run: {
    readonly uid: string;
    readonly key: RunKey;
    readonly watched: OperatorVersion | undefined;
    readonly reads: SourceReads;
  },
): Promise<StoredRunMemory | undefined> {
  const operatorVersion = await versionOfRun(deps, instance, run.watched);
  return operatorVersion === undefined
    ? undefined
    : new StoredRunMemory(
        { uid: run.uid, operatorVersion, key: run.key, inputs: inputsOf(deps, instance, run.reads) },
        memoryBefore(deps, instance),
      );
}

/**
 * For a run that this process takes up without what another one knew of it: the watch may be later than the edit of the version
 * that came before the run, so the version is read. For one that was deleted, what the watch knows of it.
 */
async function versionOfRun(deps: ReconcilerDeps, instance: Instance, watched: OperatorVersion | undefined) {
  const place = operatorVersionKey(instanceAsActedUpon(instance));
  return (await readOperatorVersion(deps, place)) ?? watched;
}

/** Deletes the memory of a run that is over. When interrupted, the next reconcile or the next start does it. */
export async function forget(deps: ReconcilerDeps, instance: Instance): Promise<void> {
  const id = instance.metadata.uid ?? '';
  const memory = deps.runs.get(id);
  if (memory === undefined) return;
  await memory.drop(deps.api, instance);
  deps.runs.delete(id);
  deps.forgotten.add(id);
}
