import { resetPlanStatus } from '@/lib/kudo/plan/status';
import { randomTasksOf } from '@/lib/kudo/secrets/guessable';
import type { OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import type { RunOrigin } from './read-origin';

export interface RetryInput {
  /** Of the execution that begins. */
  readonly origin: RunOrigin | undefined;
  readonly uid: string;
  /** The uid of the run that it repeats; undefined when that is not known. */
  readonly repeated: string | undefined;
  /** What the Instance says of the plan. */
  readonly known: PlanStatus;
  readonly plan: string;
  readonly operatorVersion: OperatorVersion;
  /** RFC 3339. */
  readonly now: string;
}

/**
 * The status with which a retry begins: steps that the failed run completed stay complete. Undefined when it begins from the start:
 * the Instance tells of another run, parameters or version have changed, or a completed step made random values, which a second
 * run cannot know.
 */
export function statusOfRetry(input: RetryInput): PlanStatus | undefined {
  const { origin, uid, repeated, known, plan, operatorVersion, now } = input;
  if (origin?.retryOf === undefined || repeated === undefined || known.uid !== repeated) return undefined;
  if (known.status !== 'FATAL_ERROR' || origin.changes !== undefined || origin.versionBefore !== undefined)
    return undefined;
  const fresh = resetPlanStatus(known, uid, now);
  const phases = (fresh.phases ?? []).map((phase) => {
    const old = known.phases?.find(({ name }) => name === phase.name);
    const steps = (phase.steps ?? []).map((step) => {
      const was = old?.steps?.find(({ name }) => name === step.name);
      return was?.status === 'COMPLETE' ? was : step;
    });
    return old?.status === 'COMPLETE' ? { ...phase, status: old.status, steps } : { ...phase, steps };
  });
  const kept = phases.flatMap(({ name: phase = '', steps }) =>
    steps.filter(({ status }) => status === 'COMPLETE').map(({ name: step = '' }) => ({ plan, phase, step })),
  );
  const isKnowable = kept.every((place) => randomTasksOf(operatorVersion, place).length === 0);
  return isKnowable ? { ...fresh, phases } : undefined;
}
