import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import { SEEN_INPUTS_ANNOTATION } from '@/lib/kudo/live-values/seen-inputs';
import { CLEANUP_FINALIZER, CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { withEndOfRun } from '@/lib/kudo/plan/recorded-run';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { executionOf, type Scheduled } from '@/lib/kudo/plan/scheduled';
import { unannouncedEnd } from '@/lib/kudo/plan/unannounced-end';
import { withoutPreview } from '@/lib/kudo/plan/without-preview';
import { isOver } from '@/lib/kudo/runs/plan-run';
import { NO_READS } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import { announceLate } from './announce-end';
import { withInventory } from './inventory-write';
import { moveRuns } from './move-runs';
import type { ReconcilerDeps } from './reconciler-deps';
import { memoryOf } from './run-memories';
import { endRun } from './run-record';
import { withSeenInputs } from './seen-by-run';

/**
 * The last write of a run: it empties `planExecution` and adds the inventory and the history. A KUDO webhook refuses that as a
 * cancellation; it clears the field itself when the terminal status is written.
 */
export async function clearExecution(
  deps: ReconcilerDeps,
  ended: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
): Promise<void> {
  await endRun(deps, ended, scheduled, memory);
  const status = ended.status?.planStatus?.[scheduled.plan]?.status ?? 'COMPLETE';
  const instance = withoutToken(deps, await withEnd(deps, ended, scheduled, memory), scheduled);
  const { planExecution: _, ...spec } = instance.spec ?? {};
  const metadata = metadataAfter(instance, memory);
  try {
    await deps.store.write({ ...instance, metadata, spec: { ...spec, planExecution: {} } });
  } catch (error) {
    if (!isDenied(error)) throw error;
    await deps.store.write({ ...instance, spec: { ...spec, planExecution: executionOf(scheduled, status) } });
  }
  deps.selfHeal.planEnded(instance);
}

/**
 * The Instance of an execution that begins, with the inventory and history of the one before: a person may start the next plan
 * between the terminal status and the write that empties `planExecution`, and then that write never happens. If the process that
 * ran it died there, this process announces its end, too.
 */
export async function withEndBefore(
  deps: ReconcilerDeps,
  known: Instance,
  { instance, scheduled }: { readonly instance: Instance; readonly scheduled: Scheduled },
): Promise<Instance> {
  const unannounced = unannouncedEnd(known, scheduled);
  if (unannounced === undefined) return instance;
  announceLate(deps, unannounced.instance, unannounced.scheduled);
  const nothingWatched = { operatorVersion: undefined, actedUponVersion: undefined, reads: NO_READS };
  const memory = await memoryOf(deps, unannounced.instance, unannounced.scheduled, nothingWatched);
  await endRun(deps, unannounced.instance, unannounced.scheduled, memory);
  const announced = await withEnd(deps, unannounced.instance, unannounced.scheduled, memory);
  return withAnnouncement(instance, announced);
}

/** Takes over inventory, history and seen objects of the run before, and drops its record. */
function withAnnouncement(instance: Instance, announced: Instance): Instance {
  const annotations = { ...instance.metadata.annotations };
  for (const key of [INVENTORY_ANNOTATION, HISTORY_ANNOTATION, SEEN_INPUTS_ANNOTATION]) {
    const text = announced.metadata.annotations?.[key];
    if (text === undefined) delete annotations[key];
    else annotations[key] = text;
  }
  const { before, ...record } = actedUpon(instance) ?? {};
  if (before !== undefined) annotations[ACTED_UPON_ANNOTATION] = JSON.stringify(record);
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** The Instance with the inventory and the history after the run. */
async function withEnd(
  deps: ReconcilerDeps,
  ended: Instance,
  scheduled: Scheduled,
  memory: StoredRunMemory | undefined,
) {
  const isMoved = await moveRuns(deps, ended);
  const left = await withInventory(deps, await withSeenInputs(deps, ended, scheduled, memory), scheduled, memory);
  return withEndOfRun(left, scheduled.uid, { keepsEarlier: !isMoved });
}

/** Without the token of the preview when the record of the run says how it compares, or none exists. */
function withoutToken({ planRuns }: ReconcilerDeps, instance: Instance, { uid }: Scheduled): Instance {
  const text = instance.metadata.annotations?.[ACTED_UPON_ANNOTATION];
  const run = planRuns.find(instance, uid);
  const isKept = run !== undefined && !isOver(run.status?.status);
  if (text === undefined || isKept || actedUpon(instance)?.uid !== uid) return instance;
  const annotations = { ...instance.metadata.annotations, [ACTED_UPON_ANNOTATION]: withoutPreview(text) };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** Removes our finalizer when no cleanup plan exists that it could wait for (CTL-11). */
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
