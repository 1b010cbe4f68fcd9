import { BlockedError, ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION, operatorVersionKey } from '@/lib/kudo/names';
import { hasUnseenChange, withSources } from '@/lib/kudo/plan/acted-upon';
import { claimText, requestAnnotations } from '@/lib/kudo/runs/run-request';
import type { DueSlot } from '@/lib/kudo/schedules/next-step';
import type { PlanSchedule, PlanScheduleSpec } from '@/lib/kudo/schedules/plan-schedule';
import type { SlotResult } from '@/lib/kudo/schedules/slot-status';
import { slotUid } from '@/lib/kudo/schedules/slot-uid';
import { namesExecution, whyBusy, whyGone, whyRefused } from '@/lib/kudo/schedules/start-check';
import type { Instance } from '@/lib/kudo/types';
import { readSources } from '@/server/parameters/read-sources';
import { previewChange } from '@/server/preconditions/preview-change';
import { type ReconcilerDeps, readOperatorVersion } from './reconciler-deps';

const ATTEMPTS = 5;
/** An edit of the Instance is decided about before the slot: for so long, and looked at so often. */
const EDIT_WITHIN_MS = 30_000;
export const LOOK_AGAIN_MS = 1_000;

/** The slot is done; or it waits for its Instance, or for a moment. */
export type SlotStart =
  | { readonly is: 'done'; readonly result: SlotResult }
  | { readonly is: 'waiting'; readonly message: string }
  | { readonly is: 'unsettled' };

/**
 * Starts the plan of a slot, unless it was started already or cannot start. Safe to be repeated, by any controller, after a crash at any place:
 * it decides upon the Instance as it is stored, and the write is guarded by that (docs/decisions/072).
 *
 * @param schedule as it is stored
 * @throws TransientError when the API server does not answer
 */
export async function startSlot(deps: ReconcilerDeps, schedule: PlanSchedule, slot: DueSlot): Promise<SlotStart> {
  const uid = slotUid(schedule.metadata.uid ?? '', slot.ms);
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryStart(deps, schedule, slot, uid);
    } catch (error) {
      if (error instanceof ConflictError) {
        if (attempt >= ATTEMPTS) return { is: 'unsettled' };
      } else if (error instanceof TerminalError || error instanceof BlockedError) {
        return refused(`Plan ${schedule.spec?.plan ?? ''} was not started: ${messageOf(error)}`);
      } else throw error;
    }
  }
}

async function tryStart(deps: ReconcilerDeps, schedule: PlanSchedule, slot: DueSlot, uid: string): Promise<SlotStart> {
  const { spec = {} } = schedule;
  const { instanceName = '', plan = '', concurrencyPolicy = 'Forbid' } = spec;
  const key = `${namespaceOf(schedule)}/${instanceName}`;
  const instance = await deps.store.refresh(key);
  const run = deps.planRuns.findByKey(key, uid);
  if (run !== undefined) return started(uid, nameOf(run));
  const gone = whyGone(instance, instanceName);
  if (instance === undefined || gone !== undefined) return refused(gone ?? '');
  if (namesExecution(instance, plan, uid)) return started(uid);
  const busy = whyBusy(instance);
  if (busy !== undefined) {
    return concurrencyPolicy === 'Wait'
      ? { is: 'waiting', message: busy }
      : { is: 'done', result: { outcome: 'Skipped', message: busy } };
  }
  // What a person has just edited is the person's run; the slot comes after it, or is skipped.
  if (deps.clock.now() - slot.ms < EDIT_WITHIN_MS && (await isUnseen(deps, instance))) return { is: 'unsettled' };
  const operatorVersion = await readOperatorVersion(deps, operatorVersionKey(instance));
  const { parameters } = spec;
  const edit = { plan, ...(parameters === undefined ? {} : { parameters }), nowMs: deps.clock.now() };
  const preview = await previewChange(deps.api, instance, operatorVersion, edit);
  const refusal = whyRefused(spec, preview);
  if (refusal !== undefined) return refused(refusal);
  const target = { ...INSTANCES, namespace: namespaceOf(instance), name: instanceName };
  const patch = startPatch(schedule, spec, {
    instance,
    preview,
    uid,
    slot: claimText(uid, 'Schedule', deps.fingerprints),
  });
  const written = (await deps.api.patch(target, 'merge', patch)) as Instance;
  // A webhook that is not ours gives it another uid.
  return started(written.spec?.planExecution?.uid ?? uid);
}

async function isUnseen(deps: ReconcilerDeps, instance: Instance): Promise<boolean> {
  const reads = await readSources(deps.api, [instance]);
  return hasUnseenChange(withSources(instance, reads, deps.fingerprints), deps.fingerprints);
}

interface Start {
  readonly instance: Instance;
  readonly preview: ChangePreview;
  readonly uid: string;
  /** The proof that a schedule asks. */
  readonly slot: string;
}

/** The write of a person who starts the plan, with the request that says that a schedule does. */
function startPatch(
  schedule: PlanSchedule,
  { plan = '', parameters }: PlanScheduleSpec,
  { instance, preview, uid, slot }: Start,
): JsonObject {
  const { confirmation } = preview;
  const before = instance.spec?.parametersFrom;
  const after = preview.instance.spec?.parametersFrom;
  return {
    metadata: {
      resourceVersion: instance.metadata.resourceVersion ?? '',
      annotations: {
        ...requestAnnotations(plan, { reason: `schedule ${nameOf(schedule)}`, slot }),
        ...(confirmation === undefined ? {} : { [CONFIRM_ANNOTATION]: confirmation }),
      },
    },
    spec: {
      planExecution: { planName: plan, uid, status: null },
      ...(parameters === undefined ? {} : { parameters }),
      // A value takes the place of a source.
      ...(before?.length === after?.length ? {} : { parametersFrom: (after ?? null) as unknown as JsonObject | null }),
    },
  };
}

function started(uid: string, run?: string): SlotStart {
  return { is: 'done', result: { outcome: 'Started', uid, ...(run === undefined ? {} : { run }) } };
}

function refused(message: string): SlotStart {
  return { is: 'done', result: { outcome: 'Refused', message } };
}
