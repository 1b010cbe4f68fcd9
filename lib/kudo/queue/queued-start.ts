import type { JudgeStart } from '@/lib/kudo/admission/admission-decision';
import { startRefusal } from '@/lib/kudo/admission/plan-gate';
import { withApproval } from '@/lib/kudo/approvals/plan-approval';
import { CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { runHistory } from '@/lib/kudo/plan/run-history';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { withConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { isProven } from './queue-proof';
import { isForEdit, type QueueEntry, runQueueOf } from './run-queue';

export interface QueueInput {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  readonly fingerprints: Fingerprinter;
  readonly judge?: JudgeStart | undefined;
  /** Tells whether a lock has ended. */
  readonly nowMs?: number | undefined;
}

/** The entry that starts now, or why none does, as a sentence; undefined for an empty queue, and when the entry's OperatorVersion does not exist. */
export type QueuedStart =
  | { readonly entry: QueueEntry; readonly held?: undefined }
  | { readonly entry?: undefined; readonly held: string };

/**
 * What an Instance starts from its queue when no plan runs, or one makes no progress. Behind such a plan, and after one that failed, nothing starts but
 * what an edit asks for that no run has acted upon yet: it may be the answer to the failure.
 *
 * @param isEditWaiting true when the values of the Instance differ from those that were acted upon
 */
export function queuedStart(input: QueueInput, isEditWaiting: boolean): QueuedStart | undefined {
  const { instance, operatorVersion } = input;
  const { entries, edit } = runQueueOf(instance);
  if (entries.length === 0) return undefined;
  const failed = stallOf(instance) === undefined ? failedRun(instance) : scheduledPlan(instance)?.plan;
  const forEdit = isEditWaiting ? entries.find(({ plan }) => isForEdit(edit, plan)) : undefined;
  const entry = failed === undefined ? entries[0] : forEdit;
  if (entry === undefined) return { held: heldByFailure(failed ?? '') };
  if (operatorVersion === undefined) return undefined;
  const problem = whyNot(input, entry, operatorVersion);
  return problem === undefined ? { entry } : { held: `The queue is held: ${problem}.` };
}

/** The sentence about a queue behind a plan that failed. */
export function heldByFailure(plan: string): string {
  return `The queue is held because plan ${plan} failed. Start a plan that waits, repeat the one that failed, or remove what waits.`;
}

/** The plan of the last run when that has failed or was ended by a person; undefined when the queue may go on. */
export function failedRun(instance: Instance): string | undefined {
  const { plan = '', uid } = actedUpon(instance) ?? {};
  const known = instance.status?.planStatus?.[plan];
  if (uid !== undefined && known?.uid === uid) return known.status === 'FATAL_ERROR' ? plan : undefined;
  const last = runHistory(instance).at(-1);
  return last?.status === 'FATAL_ERROR' ? last.plan : undefined;
}

/** Checked again when a run is to start, because it was asked for at another time, or by a person who wrote the annotation. */
function whyNot(
  { instance, judge, nowMs, fingerprints }: QueueInput,
  entry: QueueEntry,
  operatorVersion: OperatorVersion,
): string | undefined {
  const { plan } = entry;
  const version = operatorVersion.metadata.name ?? '';
  if (!hasPlan(operatorVersion, plan)) return `plan ${plan} does not exist in OperatorVersion ${version}`;
  if (plan === CLEANUP_PLAN) return 'plan cleanup runs only when the Instance is deleted';
  const { confirmed = false, approval } = isProven(entry, instance, fingerprints) ? entry : {};
  const approved = approval === undefined ? instance : withApproval(instance, approval);
  const asked = confirmed ? withConfirmation(approved, plan) : approved;
  return startRefusal({ plan, instance: asked, operatorVersion }, { judge, nowMs })?.message;
}
