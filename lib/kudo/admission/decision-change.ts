import { CLEANUP_PLAN, operatorVersionKey } from '@/lib/kudo/names';
import { parameterDiff } from '@/lib/kudo/parameters/parameters';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { hasEnded, isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { parameterSourceOf, sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance } from '@/lib/kudo/types';

/** What an update of an Instance changes, as the decision table needs it. */
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
  /** Names of parameters that have a source, which they had not. */
  readonly newSources: readonly string[];
}

/** Compares the stored Instance with the sent one. */
export function changeOf(before: Instance, after: Instance): InstanceChange {
  const sameUid = (before.spec?.planExecution?.uid ?? '') === (after.spec?.planExecution?.uid ?? '');
  const { planBefore, planAfter } = plansOf(before, after, sameUid);
  const hadPlan = planBefore !== '';
  const isStalled = hadPlan && planBefore !== CLEANUP_PLAN && stallOf(before) !== undefined;
  const isOther = planAfter !== '' && planAfter !== planBefore;
  const status = after.spec?.planExecution?.status;
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
    isDeleting: isDeleting(after),
    changed,
    removed,
    newSources: sourcesOf(after.spec)
      .map(({ parameter }) => parameter)
      .filter((name) => parameterSourceOf(before.spec, name) === undefined),
  };
}

/**
 * The plans that are scheduled before and after. An execution whose status says that it is over is none any more: who sees
 * COMPLETE may edit at once, although `planExecution` is emptied by a write of its own after that (KUDO's order is the
 * other one, so nobody was ever refused there). A deletion is the exception: its cleanup stays scheduled.
 */
function plansOf(before: Instance, after: Instance, sameUid: boolean): { planBefore: string; planAfter: string } {
  const planAfter = after.spec?.planExecution?.planName ?? '';
  const scheduled = scheduledPlan(before);
  const isOver = scheduled !== undefined && !isDeleting(after) && hasEnded(before, scheduled);
  if (!isOver) return { planBefore: scheduled?.plan ?? '', planAfter };
  return { planBefore: '', planAfter: planAfter === scheduled.plan && sameUid ? '' : planAfter };
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
  const hasOtherValues = change.changed.size > 0 || change.removed.size > 0 || change.newSources.length > 0;
  return change.isUpgrade || newExecution || hasOtherValues;
}
