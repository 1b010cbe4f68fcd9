import { nameOf } from '@/lib/kube/object';
import { isOver, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { derivedUid } from '@/lib/kudo/schedules/slot-uid';
import type { BrokenRule, JudgedRules } from './judge-rules';
import { compatibleCondition, condition, type OwnState } from './own-status';
import type { OwnKind } from './types';

/** The uid of the execution of a resource that is one run: whoever starts it, and however often, it is one execution. */
export function runUid(resourceUid: string): string {
  return derivedUid('bravo.kudo.dev/own-run', resourceUid);
}

export interface RunFacts {
  readonly kind: OwnKind;
  readonly instance: string;
  readonly uid: string;
  readonly run: PlanRun | undefined;
  readonly isStarted: boolean;
  readonly rules: JudgedRules;
  /** Why the plan has not been started. */
  readonly problem: BrokenRule | undefined;
}

/** What a resource that is one run of a plan says. */
export function stateOfRun({ kind, instance, uid, run, isStarted, rules, problem }: RunFacts): OwnState {
  const compatible = compatibleCondition(kind, rules.noted);
  const status = run?.status;
  if (run === undefined && !isStarted) {
    const why = problem ?? { reason: 'Pending', message: 'The plan has not begun.' };
    return {
      phase: 'Pending',
      message: why.message,
      instance,
      conditions: [condition('Complete', 'False', why), ...compatible],
    };
  }
  const plan = run?.spec?.plan ?? kind.run?.plan;
  const started = { instance, uid, run: run === undefined ? undefined : nameOf(run), startedAt: status?.startedAt };
  if (!isOver(status?.status)) {
    const why = { reason: 'Running', message: status?.message ?? '' };
    const conditions = [condition('Complete', 'False', why), ...compatible];
    return { ...started, phase: 'Running', message: why.message, plan, conditions };
  }
  const isComplete = status?.status === 'COMPLETE';
  const ended = {
    reason: isComplete ? 'Completed' : status?.status === 'Cancelled' ? 'Cancelled' : 'Failed',
    message: status?.message ?? '',
  };
  return {
    ...started,
    phase: isComplete ? 'Completed' : 'Failed',
    message: ended.message,
    operatorVersion: status?.operatorVersion,
    finishedAt: status?.finishedAt,
    conditions: [
      condition('Complete', isComplete ? 'True' : 'False', ended),
      condition('Failed', isComplete ? 'False' : 'True', ended),
      ...compatible,
    ],
  };
}
