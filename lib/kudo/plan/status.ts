import type {
  ExecutionStatus,
  OperatorVersion,
  Phase,
  PhaseStatus,
  Plan,
  PlanStatus,
  Step,
  StepStatus,
  Task,
} from '@/lib/kudo/types';

/** Plan statuses by plan name, as `Instance.status.planStatus` holds them. */
export type PlanStatuses = { readonly [plan: string]: PlanStatus };

/** COMPLETE and FATAL_ERROR: the execution is over (KUDO ExecutionStatus.IsTerminal). */
export function isTerminal(status: ExecutionStatus | undefined): boolean {
  return status === 'COMPLETE' || status === 'FATAL_ERROR';
}

/** PENDING, IN_PROGRESS and ERROR (KUDO ExecutionStatus.IsRunning). */
export function isRunning(status: ExecutionStatus | undefined): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS' || status === 'ERROR';
}

/**
 * The statuses of an Instance with an entry for every plan of the OperatorVersion: phases and steps in the version's
 * order, those known by name keep their status, new ones are NEVER_RUN, removed ones are dropped. Entries of plans that
 * the version does not have stay (T-40).
 */
export function initialisePlanStatuses(
  operatorVersion: OperatorVersion,
  existing: PlanStatuses | undefined,
): { [plan: string]: PlanStatus } {
  const result: { [plan: string]: PlanStatus } = { ...existing };
  for (const [name, plan] of Object.entries(operatorVersion.spec?.plans ?? {})) {
    result[name] = initialisePlanStatus(name, plan, existing?.[name]);
  }
  return result;
}

function initialisePlanStatus(name: string, plan: Plan, existing: PlanStatus | undefined): PlanStatus {
  const phases = phasesOf(plan).map((phase) => initialisePhase(phase, findByName(existing?.phases, phase.name)));
  return { ...(existing ?? { name, status: 'NEVER_RUN' }), phases };
}

function initialisePhase(phase: Phase, existing: PhaseStatus | undefined): PhaseStatus {
  const steps = stepsOf(phase).map(
    (step): StepStatus => findByName(existing?.steps, step.name) ?? { name: step.name, status: 'NEVER_RUN' },
  );
  return { ...(existing ?? { name: phase.name, status: 'NEVER_RUN' }), steps };
}

/**
 * The status of a plan at the start of an execution: the new uid, everything PENDING, messages of phases and steps gone
 * (KUDO ResetPlanStatus). `now` is RFC 3339.
 */
export function resetPlanStatus(status: PlanStatus, uid: string, now: string): PlanStatus {
  const phases = (status.phases ?? []).map((phase): PhaseStatus => {
    const steps = (phase.steps ?? []).map((step): StepStatus => withStart(withStatus(step, 'PENDING'), undefined));
    return { ...withStatus(phase, 'PENDING'), steps };
  });
  return { ...withStatus(status, 'PENDING'), uid, lastUpdatedTimestamp: now, phases };
}

/**
 * The status with which an execution goes on: what it has done when the status tells of it, else as at its start.
 * A plan that was left running without any uid goes on under the one that it gets now. `now` is RFC 3339.
 */
export function statusOfExecution(status: PlanStatus, uid: string, now: string): PlanStatus {
  if (status.uid === uid) return status;
  const wasNameless = (status.uid ?? '') === '' && isRunning(status.status);
  return wasNameless ? { ...status, uid } : resetPlanStatus(status, uid, now);
}

/** The same entry with another status, and with the message or without one. */
export function withStatus<T extends { status?: ExecutionStatus; message?: string }>(
  entry: T,
  status: ExecutionStatus,
  message = '',
): T {
  const { message: _, ...rest } = entry;
  const next = { ...rest, status } as T;
  if (message !== '') next.message = message;
  return next;
}

/** The step with the time of its beginning (RFC 3339), or without one. */
export function withStart(step: StepStatus, startedTimestamp: string | undefined): StepStatus {
  const { startedTimestamp: _, ...rest } = step;
  return startedTimestamp === undefined ? rest : { ...rest, startedTimestamp };
}

/** The phases of a plan in order; none when absent. */
export function phasesOf(plan: Plan): readonly Phase[] {
  return plan.phases ?? [];
}

/** The steps of a phase in order; none when absent. */
export function stepsOf(phase: Phase): readonly Step[] {
  return phase.steps ?? [];
}

/** A task of a plan and where it is named. */
export interface PlacedTask {
  readonly phase: string;
  readonly step: string;
  readonly task: Task;
}

/** The tasks that a plan names, in its order, each as often as it is named; a name without a task is left out. */
export function tasksOf(plan: Plan, tasks: readonly Task[]): PlacedTask[] {
  return phasesOf(plan).flatMap((phase) =>
    stepsOf(phase).flatMap((step) =>
      (step.tasks ?? []).flatMap((name) => {
        const task = tasks.find((candidate) => candidate.name === name);
        return task === undefined ? [] : [{ phase: phase.name, step: step.name, task }];
      }),
    ),
  );
}

/** The first entry of that name. */
export function findByName<T extends { name?: string }>(
  entries: readonly T[] | null | undefined,
  name: string,
): T | undefined {
  return entries?.find((entry) => entry.name === name);
}

/** How many steps a plan has and how many are COMPLETE, for progress bars. */
export function planProgress(status: PlanStatus | undefined): { done: number; total: number } {
  const steps = (status?.phases ?? []).flatMap((phase) => phase.steps ?? []);
  return { done: steps.filter((step) => step.status === 'COMPLETE').length, total: steps.length };
}
