import { CLEANUP_PLAN, operatorVersionKey } from './names';
import { parameterDiff } from './parameters';
import { stallOf } from './plan/conditions';
import type { Instance } from './types';

/** What an update of an Instance changes, in the words of engine 6.3. */
export interface InstanceChange {
  readonly planBefore: string;
  readonly planAfter: string;
  readonly hadPlan: boolean;
  /** The scheduled plan makes no progress (a fact of the status): another one may take its place. */
  readonly isStalled: boolean;
  readonly isUpgrade: boolean;
  readonly isNovelPlan: boolean;
  readonly isOverride: boolean;
  readonly isRetrigger: boolean;
  readonly isCancel: boolean;
  readonly isTerminal: boolean;
  readonly isDeleting: boolean;
  readonly changed: ReadonlyMap<string, string>;
  readonly removed: ReadonlyMap<string, string>;
}

/** Compares the stored Instance with the sent one. */
export function changeOf(before: Instance, after: Instance): InstanceChange {
  const planBefore = before.spec?.planExecution?.planName ?? '';
  const planAfter = after.spec?.planExecution?.planName ?? '';
  const hadPlan = planBefore !== '';
  const isStalled = hadPlan && planBefore !== CLEANUP_PLAN && stallOf(before) !== undefined;
  const isOther = planAfter !== '' && planAfter !== planBefore;
  const status = after.spec?.planExecution?.status;
  const sameUid = (before.spec?.planExecution?.uid ?? '') === (after.spec?.planExecution?.uid ?? '');
  const { changed, removed } = parameterDiff(before.spec?.parameters, after.spec?.parameters);
  return {
    planBefore,
    planAfter,
    hadPlan,
    isStalled,
    isUpgrade: isOtherVersion(before, after),
    isNovelPlan: isOther && (!hadPlan || isStalled),
    isOverride: isOther && hadPlan && !isStalled,
    isRetrigger: hadPlan && planAfter === planBefore && !sameUid,
    isCancel: hadPlan && planAfter === '',
    isTerminal: status === 'COMPLETE' || status === 'FATAL_ERROR',
    isDeleting: (after.metadata.deletionTimestamp ?? '') !== '',
    changed,
    removed,
  };
}

/** Namespace and name decide; other members of the reference mean nothing (KUDO compared them all, T-23). */
function isOtherVersion(before: Instance, after: Instance): boolean {
  const was = operatorVersionKey(before);
  const is = operatorVersionKey(after);
  return was.name !== is.name || was.namespace !== is.namespace;
}

/** True when the decision needs to know the OperatorVersion: a change of nothing but statuses never does (T-17, T-35). */
export function needsOperatorVersion(change: InstanceChange): boolean {
  const newExecution = change.isNovelPlan || change.isOverride || change.isRetrigger;
  return change.isUpgrade || newExecution || change.changed.size > 0 || change.removed.size > 0;
}
