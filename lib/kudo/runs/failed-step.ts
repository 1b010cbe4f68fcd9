import type { PlanStatus } from '@/lib/kudo/types';
import { CANCELLED } from './steering';

/** The step that failed or does not end, or the plan when no step is to blame. */
export interface FailedStep {
  readonly plan: string;
  /** Absent for the plan as a whole. */
  readonly place?: { readonly phase: string; readonly step: string };
  readonly state: 'failed' | 'cancelled' | 'retried' | 'waiting';
  readonly message: string;
  /** The deadline that ended it, as it was written: `10m`. */
  readonly deadline?: string;
}

interface Part {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly message?: string | undefined;
}

/** A step of a plan as it is to be explained. */
export function failedStep(plan: Part, phase: Part, step: Part): FailedStep {
  const { name: planName = '', message: planMessage = '' } = plan;
  const { status, message = '' } = step;
  const deadline = deadlineIn(message) ?? deadlineIn(planMessage);
  return {
    plan: planName,
    place: { phase: phase.name ?? '', step: step.name ?? '' },
    state: status === 'FATAL_ERROR' ? endOf(planMessage) : status === 'ERROR' ? 'retried' : 'waiting',
    message: message === '' ? planMessage : message,
    ...(deadline === undefined ? {} : { deadline }),
  };
}

/** The step of a plan that failed, else is retried, else runs; the plan itself when it failed without one. Undefined when all is well. */
export function failedStepOf(plan: string, status: PlanStatus): FailedStep | undefined {
  const steps = (status.phases ?? []).flatMap((phase) => (phase.steps ?? []).map((step) => ({ phase, step })));
  const wanted = status.status === 'FATAL_ERROR' ? ['FATAL_ERROR'] : ['ERROR', 'IN_PROGRESS'];
  for (const word of wanted) {
    const found = steps.find(({ step }) => step.status === word);
    if (found !== undefined) return failedStep({ ...status, name: plan }, found.phase, found.step);
  }
  if (status.status !== 'FATAL_ERROR') return undefined;
  const message = status.message || (status.phases?.find(({ status: word }) => word === 'FATAL_ERROR')?.message ?? '');
  const deadline = deadlineIn(message);
  return { plan, state: endOf(message), message, ...(deadline === undefined ? {} : { deadline }) };
}

function endOf(planMessage: string): 'failed' | 'cancelled' {
  return planMessage.startsWith(CANCELLED) ? 'cancelled' : 'failed';
}

/** From the message of a plan or step that a deadline ended (lib/kudo/plan/pass-limits). */
function deadlineIn(message: string): string | undefined {
  return /is past its deadline of ([\w.]+)\./.exec(message)?.[1];
}
