import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import type { ExecutionStatus, Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import type { StatusKey } from './status-words';
import { statusKeyOf } from './status-words';

export interface StepView {
  readonly name: string;
  readonly status: StatusKey;
  readonly message: string;
  /** When it started, RFC 3339; only while it runs. */
  readonly startedAt: string | undefined;
  /** Names of its tasks, when the OperatorVersion is known. */
  readonly tasks: readonly string[];
}

export interface PhaseView {
  readonly name: string;
  readonly status: StatusKey;
  readonly message: string;
  /** Undefined when the OperatorVersion, which defines it, is not known. */
  readonly serial: boolean | undefined;
  readonly steps: readonly StepView[];
}

/** A plan as it is shown: its structure from the OperatorVersion, its state from the Instance's status. */
export interface PlanView {
  readonly name: string;
  readonly status: StatusKey;
  readonly message: string;
  readonly serial: boolean;
  readonly uid: string | undefined;
  /** Time of the last change, RFC 3339; undefined when it never ran. */
  readonly updatedAt: string | undefined;
  readonly phases: readonly PhaseView[];
  readonly doneSteps: number;
  readonly totalSteps: number;
}

/** Plans that people look for first. */
const FIRST = ['deploy', 'backup', 'restore'];

/** Every plan of an Instance: deploy, backup and restore, the others of its OperatorVersion, then those that only the status names. */
export function plansOf(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): PlanView[] {
  const statuses = instance.status?.planStatus ?? {};
  const ranked = (name: string) =>
    FIRST.includes(name) ? FIRST.indexOf(name) : name === 'cleanup' ? 99 : FIRST.length;
  const defined = Object.keys(operatorVersion?.spec?.plans ?? {}).sort((a, b) => ranked(a) - ranked(b));
  const names = [...defined, ...Object.keys(statuses).filter((name) => !defined.includes(name))];
  const active = isDeleted ? undefined : activePlanName(instance);
  return names.map((name) => {
    const view = planView(name, statuses[name], operatorVersion);
    return name === active ? view : asCancelled(view);
  });
}

/**
 * A run that another plan replaced, or whose Instance was deleted: its status says that it runs, and is never updated. It is shown
 * as cancelled.
 */
export function asCancelled(plan: PlanView): PlanView {
  if (!isRunning(plan.status)) return plan;
  const left = (status: StatusKey): StatusKey => (isRunning(status) ? 'cancelled' : status);
  const phases = plan.phases.map((phase) => ({
    ...phase,
    status: left(phase.status),
    steps: phase.steps.map((step) => ({ ...step, status: left(step.status) })),
  }));
  return { ...plan, status: left(plan.status), phases };
}

function isRunning(status: StatusKey): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS' || status === 'ERROR';
}

/** One plan; `NEVER_RUN` everywhere without a status. */
export function planView(
  name: string,
  status: PlanStatus | undefined,
  operatorVersion: OperatorVersion | undefined,
): PlanView {
  const plan = operatorVersion?.spec?.plans?.[name];
  const phaseNames = union(plan?.phases, status?.phases);
  const phases = phaseNames.map((phaseName): PhaseView => {
    const phase = plan?.phases?.find((candidate) => candidate.name === phaseName);
    const phaseStatus = status?.phases?.find((candidate) => candidate.name === phaseName);
    const steps = union(phase?.steps, phaseStatus?.steps).map((stepName): StepView => {
      const stepStatus = phaseStatus?.steps?.find((candidate) => candidate.name === stepName);
      const tasks = phase?.steps?.find((candidate) => candidate.name === stepName)?.tasks ?? [];
      return {
        name: stepName,
        status: statusKeyOf(stepStatus?.status),
        message: stepStatus?.message ?? '',
        startedAt: stepStatus?.startedTimestamp,
        tasks,
      };
    });
    return {
      name: phaseName,
      status: statusKeyOf(phaseStatus?.status),
      message: phaseStatus?.message ?? '',
      serial: phase && phase.strategy === 'serial',
      steps,
    };
  });
  const steps = phases.flatMap((phase) => phase.steps);
  return {
    name,
    status: statusKeyOf(status?.status),
    message: status?.message ?? '',
    serial: plan?.strategy === 'serial',
    uid: status?.uid,
    updatedAt: status?.lastUpdatedTimestamp ?? undefined,
    phases,
    doneSteps: steps.filter((step) => step.status === 'COMPLETE').length,
    totalSteps: steps.length,
  };
}

function union(
  defined: readonly { name?: string }[] | null | undefined,
  known: readonly { name?: string }[] | null | undefined,
): string[] {
  const names = [...(defined ?? []), ...(known ?? [])].map(({ name }) => name ?? '');
  return [...new Set(names)];
}

const RUNNING: readonly (ExecutionStatus | undefined)[] = ['PENDING', 'IN_PROGRESS', 'ERROR'];

/**
 * The plan that is scheduled or running: the one in `spec.planExecution`, unless it has ended. When the spec names none but the
 * status says that one runs (the Instance was read between two writes), that one.
 */
export function activePlanName(instance: Instance): string | undefined {
  const execution = instance.spec?.planExecution;
  const planned = execution?.planName ?? '';
  if (planned !== '') {
    const status = instance.status?.planStatus?.[planned];
    const ended = status?.status === 'COMPLETE' || status?.status === 'FATAL_ERROR';
    // The status may be that of an earlier run.
    return ended && status?.uid === execution?.uid ? undefined : planned;
  }
  const running = Object.entries(instance.status?.planStatus ?? {}).find(([, plan]) => RUNNING.includes(plan.status));
  return running?.[0];
}

/** The active plan; a run that the controller has not started yet is `PENDING` in all phases and steps. */
export function activePlan(instance: Instance, operatorVersion: OperatorVersion | undefined): PlanView | undefined {
  const name = activePlanName(instance);
  if (name === undefined) return undefined;
  const status = instance.status?.planStatus?.[name];
  const uid = instance.spec?.planExecution?.uid;
  const isOld = uid !== undefined && status?.uid !== uid && !RUNNING.includes(status?.status);
  if (!isOld) return planView(name, status, operatorVersion);
  const view = planView(name, undefined, operatorVersion);
  const pending = { status: 'PENDING' } as const;
  return {
    ...view,
    ...pending,
    phases: view.phases.map((phase) => ({
      ...phase,
      ...pending,
      steps: phase.steps.map((step) => ({ ...step, ...pending })),
    })),
  };
}

/**
 * The plan whose state changed last, running or not; undefined when none ever ran. Times are whole seconds, and nothing runs after the cleanup
 * of an Instance that is being deleted.
 */
export function newestPlan(instance: Instance, operatorVersion: OperatorVersion | undefined): PlanView | undefined {
  const ran = Object.entries(instance.status?.planStatus ?? {}).filter(
    ([, plan]) => plan.status !== undefined && plan.status !== 'NEVER_RUN',
  );
  const [latest] = ran.sort(([, a], [, b]) =>
    (b.lastUpdatedTimestamp ?? '').localeCompare(a.lastUpdatedTimestamp ?? ''),
  );
  const newest = (isDeleting(instance) && ran.find(([name]) => name === CLEANUP_PLAN)) || latest;
  return newest === undefined ? undefined : planView(newest[0], newest[1], operatorVersion);
}

/** The current phase and step of a plan: the first that failed, else is retried, else runs, else is pending. */
export function currentStep(plan: PlanView): { phase: PhaseView; step: StepView } | undefined {
  for (const wanted of ['FATAL_ERROR', 'ERROR', 'IN_PROGRESS', 'PENDING'] as const) {
    for (const phase of plan.phases) {
      const step = phase.steps.find((candidate) => candidate.status === wanted);
      if (step !== undefined) return { phase, step };
    }
  }
  return undefined;
}
