import type { Condition, ExecutionStatus, Instance } from '@/lib/kudo/types';

/** What the Ready condition of an Instance says (KUDO KEP-34); `ResourceMissing` and `ChangeRefused` are Bravo's. */
export type ReadyVerdict =
  | { readonly reason: 'PlanInProgress'; readonly message: string }
  | { readonly reason: 'ResourcesReady' }
  | { readonly reason: 'ResourceNotReady'; readonly message: string }
  | { readonly reason: 'ResourceMissing'; readonly message: string }
  | { readonly reason: 'PlanInFatalError'; readonly message: string }
  | { readonly reason: 'InvalidOperatorVersion'; readonly message: string }
  | { readonly reason: 'ChangeRefused'; readonly message: string }
  | { readonly reason: 'DependencyMissing'; readonly message: string };

const STATUS_BY_REASON = {
  PlanInProgress: 'Unknown',
  ResourcesReady: 'True',
  ResourceNotReady: 'False',
  ResourceMissing: 'False',
  PlanInFatalError: 'Unknown',
  InvalidOperatorVersion: 'Unknown',
  ChangeRefused: 'False',
  DependencyMissing: 'False',
} as const;

/** Plans that change the Instance itself; while one runs its readiness is unknown. */
const CHANGING_PLANS: readonly string[] = ['deploy', 'update', 'upgrade'];

/** The readiness that a running plan sets, or undefined when it leaves the condition alone (RDY-07). */
export function readinessOfRunning(plan: string): ReadyVerdict | undefined {
  return CHANGING_PLANS.includes(plan) ? { reason: 'PlanInProgress', message: '' } : undefined;
}

/** The readiness that the end of a plan sets. */
export function readinessOfEnded(plan: string, status: ExecutionStatus | undefined): ReadyVerdict | undefined {
  if (status === 'COMPLETE') return { reason: 'ResourcesReady' };
  return status === 'FATAL_ERROR' ? readinessOfFatalError(plan) : undefined;
}

/** The readiness after a plan that ended in a fatal error. */
export function readinessOfFatalError(plan: string): ReadyVerdict {
  return { reason: 'PlanInFatalError', message: `Plan ${plan} ended in a fatal error.` };
}

/** The readiness of an idle Instance from the problems of its resources, in order; without problems it is ready. */
export function readinessOfResources(problems: readonly string[]): ReadyVerdict {
  return problems.length === 0
    ? { reason: 'ResourcesReady' }
    : { reason: 'ResourceNotReady', message: problems.join(', ') };
}

/**
 * The readiness of an Instance with missing workloads. `missing` and `problems` are sentences; `failedPlan` is the last plan when it
 * ended in a fatal error.
 */
export function readinessOfMissing(
  missing: readonly string[],
  {
    problems = [],
    failedPlan,
  }: { readonly problems?: readonly string[]; readonly failedPlan?: string | undefined } = {},
): ReadyVerdict {
  const cause = failedPlan === undefined ? '' : `; plan ${failedPlan} ended in a fatal error`;
  return { reason: 'ResourceMissing', message: `${[...missing, ...problems].join(', ')}${cause}` };
}

/**
 * The conditions with that Ready condition. `lastTransitionTime` changes only with the status; returns the same array when nothing
 * changes (no write is due). `now` is RFC 3339.
 */
export function withReadiness(
  conditions: readonly Condition[] | undefined,
  readiness: ReadyVerdict,
  now: string,
): readonly Condition[] {
  const existing = conditions?.find((condition) => condition.type === 'Ready');
  const status = STATUS_BY_REASON[readiness.reason];
  const message = 'message' in readiness ? readiness.message : '';
  if (existing?.status === status && existing.reason === readiness.reason && existing.message === message) {
    return conditions ?? [];
  }
  const lastTransitionTime = existing?.status === status ? existing.lastTransitionTime : now;
  const ready: Condition = { type: 'Ready', status, reason: readiness.reason, message, lastTransitionTime };
  return [...(conditions ?? []).filter((condition) => condition.type !== 'Ready'), ready];
}

/** The Ready condition of an Instance, if it has one. */
export function readyConditionOf(instance: Instance): Condition | undefined {
  return instance.status?.conditions?.find((condition) => condition.type === 'Ready');
}
