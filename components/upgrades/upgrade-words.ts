import type { EntryState, UpgradePhase } from '@/lib/kudo/upgrades/operator-upgrade';
import type { UpgradeCheck } from '@/lib/kudo/upgrades/upgrade-plan';
import type { StatusKey } from '@/lib/kudo/view/status-words';

/** Look and word of a state. */
export type Look = readonly [status: StatusKey, word: string];

export const phaseLooks: { readonly [phase in UpgradePhase]: Look } = {
  Pending: ['PENDING', 'Pending'],
  Running: ['IN_PROGRESS', 'Running'],
  Paused: ['paused', 'Paused'],
  RollingBack: ['ERROR', 'Rolling back'],
  Complete: ['COMPLETE', 'Complete'],
  Failed: ['FATAL_ERROR', 'Failed'],
  Cancelled: ['cancelled', 'Cancelled'],
  RolledBack: ['cancelled', 'Rolled back'],
};

export const entryLooks: { readonly [state in EntryState]: Look } = {
  Waiting: ['NEVER_RUN', 'Waiting'],
  Held: ['waiting', 'Held'],
  Running: ['IN_PROGRESS', 'Running'],
  Upgraded: ['COMPLETE', 'Upgraded'],
  Failed: ['FATAL_ERROR', 'Failed'],
  RollingBack: ['ERROR', 'Rolling back'],
  RolledBack: ['cancelled', 'Rolled back'],
  RollBackFailed: ['FATAL_ERROR', 'Roll back failed'],
  Skipped: ['skipped', 'Skipped'],
};

export const checkLooks: { readonly [state in UpgradeCheck['state']]: Look } = {
  ok: ['COMPLETE', 'OK'],
  warning: ['ERROR', 'Warning'],
  blocked: ['FATAL_ERROR', 'Blocked'],
  unknown: ['unknown', 'Unknown'],
};
