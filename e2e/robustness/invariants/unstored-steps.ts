import { type KubeObject, kindOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion, PhaseStatus, StepStatus } from '@/lib/kudo/types';

/** What a step may have written that is over and not stored as COMPLETE (docs/decisions/071). */
const REPEATABLE: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'Service',
  'ServiceAccount',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
]);
/** Tasks that a step may have had then; a Toggle that is on applies. */
const REPEATABLE_TASKS: ReadonlySet<string | undefined> = new Set(['Apply', 'Toggle', 'Dummy']);

/**
 * Which steps and phases may be over although the stored status does not say so: none of their steps waits or has failed, each has
 * only tasks that apply, and none has written anything but objects that may be applied again at any time.
 */
export class UnstoredSteps {
  /** Steps that wrote an object of another kind: uid, phase and step. */
  private readonly others = new Set<string>();

  /** An object that a step wrote; its annotations say which step. */
  note(object: KubeObject): void {
    if (REPEATABLE.has(kindOf(object).kind)) return;
    const marks = object.metadata.annotations ?? {};
    this.others.add(keyOf(marks[EXECUTION_UID_ANNOTATION], marks[PHASE_ANNOTATION], marks[STEP_ANNOTATION]));
  }

  /** True for a step of the execution that may be over. */
  mayBeOver(step: StepStatus, { uid, phase, plan, version }: StepPlace): boolean {
    const isQuiet = step.status === 'PENDING' || (step.status === 'IN_PROGRESS' && (step.message ?? '') === '');
    if (!isQuiet || this.others.has(keyOf(uid, phase, step.name))) return false;
    const declared = version?.spec?.plans?.[plan]?.phases?.find(({ name }) => name === phase)?.steps;
    const tasks = declared?.find(({ name }) => name === step.name)?.tasks ?? [];
    return tasks.every((task) => REPEATABLE_TASKS.has(version?.spec?.tasks?.find(({ name }) => name === task)?.kind));
  }

  /** True for a phase whose steps are all COMPLETE or may be over. */
  mayPhaseBeOver({ name = '', steps }: PhaseStatus, place: Omit<StepPlace, 'phase'>): boolean {
    return (steps ?? []).every((step) => step.status === 'COMPLETE' || this.mayBeOver(step, { ...place, phase: name }));
  }
}

/** A step of an execution, without its name. */
export interface StepPlace {
  readonly uid: string | undefined;
  readonly plan: string;
  readonly phase: string;
  /** With the tasks of the step. */
  readonly version: OperatorVersion | undefined;
}

function keyOf(uid = '', phase = '', step = ''): string {
  return JSON.stringify([uid, phase, step]);
}
