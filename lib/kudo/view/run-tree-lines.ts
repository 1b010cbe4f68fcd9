import { isOver, type PlanRun, type RunPhase } from '@/lib/kudo/runs/plan-run';
import { skippedStepsOf } from '@/lib/kudo/runs/steering';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { type StatusKey, statusKeyOf } from './status-words';

/** A phase, or a step of it, of a run. */
export interface TreeLine {
  readonly phase: string;
  /** Undefined for the line of a phase. */
  readonly step: string | undefined;
  readonly status: StatusKey;
  readonly message: string;
  readonly seconds: number | undefined;
  readonly attempts: number;
  readonly canBeSkipped: boolean;
}

/**
 * The lines of a run's tree. While it runs, the Instance tells of each step at once and the PlanRun of some of them, so both are put
 * together.
 */
export function treeLines(run: PlanRun, instance: Instance | undefined): TreeLine[] {
  const live = liveStatus(run, instance);
  const phases = live === undefined ? (run.status?.phases ?? []) : merged(live, run.status?.phases ?? []);
  const isSkipped = skippedStepsOf(live ?? { phases: asStatuses(phases) });
  const isOpen = !isOver(run.status?.status);
  const asked = run.spec?.skip ?? [];
  return phases.flatMap(({ name: phase = '', status, message = '', steps = [] }) => [
    line({ phase, step: undefined, status: statusKeyOf(status), message }),
    ...steps.map((step) => {
      const name = step.name ?? '';
      const key = isSkipped({ phase, step: name }) ? 'skipped' : statusKeyOf(step.status);
      const canBeSkipped =
        isOpen && step.status !== 'COMPLETE' && !asked.some((each) => each.phase === phase && each.step === name);
      return {
        ...line({ phase, step: name, status: key, message: step.message ?? '' }),
        ...{ seconds: step.seconds, attempts: step.attempts ?? 1, canBeSkipped },
      };
    }),
  ]);
}

function line(own: Pick<TreeLine, 'phase' | 'step' | 'status' | 'message'>): TreeLine {
  return { ...own, seconds: undefined, attempts: 1, canBeSkipped: false };
}

function liveStatus(run: PlanRun, instance: Instance | undefined): PlanStatus | undefined {
  if (isOver(run.status?.status)) return undefined;
  const { plan = '', uid, instanceUid } = run.spec ?? {};
  const status = instance?.metadata.uid === instanceUid ? instance?.status?.planStatus?.[plan] : undefined;
  return status?.uid === uid ? status : undefined;
}

function merged(live: PlanStatus, recorded: readonly RunPhase[]): RunPhase[] {
  return (live.phases ?? []).map((phase) => {
    const known = recorded.find(({ name }) => name === phase.name);
    const steps = (phase.steps ?? []).map((step) => {
      const { seconds, attempts } = known?.steps?.find(({ name }) => name === step.name) ?? {};
      const { startedTimestamp: _, ...shown } = step;
      return {
        ...shown,
        ...(seconds === undefined ? {} : { seconds }),
        ...(attempts === undefined ? {} : { attempts }),
      };
    });
    const { steps: _, ...rest } = phase;
    return { ...rest, steps };
  });
}

function asStatuses(phases: readonly RunPhase[]): NonNullable<PlanStatus['phases']> {
  return phases.map(({ name = '', steps = [] }) => ({
    name,
    steps: steps.map(({ name: step = '', status, message }) => ({
      name: step,
      ...(status === undefined ? {} : { status }),
      ...(message === undefined ? {} : { message }),
    })),
  }));
}
