import { isOver, type PlanRun, type RunPhase, type RunStep } from '@/lib/kudo/runs/plan-run';
import { skippedStepsOf } from '@/lib/kudo/runs/steering';
import type { Instance, PhaseStatus, PlanStatus } from '@/lib/kudo/types';
import { type StatusKey, statusKeyOf } from './status-words';

/** A phase, or a step of it, of a run. */
export interface TreeLine {
  readonly phase: string;
  /** Undefined for the line of a phase. */
  readonly step: string | undefined;
  readonly status: StatusKey;
  readonly message: string;
  /** RFC 3339. */
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly seconds: number | undefined;
  readonly attempts: number;
  readonly canBeSkipped: boolean;
}

/** The line of a step. */
export type StepLine = TreeLine & { readonly step: string };

/** A step in the address of a page. */
export function placeOfStep({ phase, step }: StepLine): string {
  return `${phase}/${step}`;
}

/**
 * The lines of a run's tree. While it runs, the Instance tells of each step at once and the PlanRun of some of them, so both are put
 * together.
 */
export function treeLines(run: PlanRun, instance: Instance | undefined): TreeLine[] {
  const live = liveStatus(run, instance);
  const recorded = run.status?.phases ?? [];
  const phases = live === undefined ? recorded : merged(live, recorded);
  const isOpen = !isOver(run.status?.status);
  const asked = new Set((run.spec?.skip ?? []).map(({ phase, step }) => JSON.stringify([phase, step])));
  return phases.flatMap((phase) => {
    const { name = '', steps = [] } = phase;
    const isSkipped = skippedStepsOf({ phases: [asStatus(phase)] });
    const stepLine = (step: RunStep): TreeLine => {
      const place = { phase: name, step: step.name ?? '' };
      const own = lineOf(name, place.step, step);
      const canBeSkipped = isOpen && step.status !== 'COMPLETE' && !asked.has(JSON.stringify([name, place.step]));
      const hasWords = own.status === 'COMPLETE' && own.message !== '';
      return { ...own, canBeSkipped, ...(hasWords && isSkipped(place) ? { status: 'skipped' as const } : {}) };
    };
    return [lineOf(name, undefined, phase), ...steps.map(stepLine)];
  });
}

/** The lines of steps alone. */
export function stepLines(lines: readonly TreeLine[]): StepLine[] {
  return lines.filter((line): line is StepLine => line.step !== undefined);
}

/** The step to look at: the first that failed, else is retried, else runs, else is next; the last one when all are done. */
export function currentLine(lines: readonly TreeLine[]): StepLine | undefined {
  const steps = stepLines(lines);
  const wanted: readonly StatusKey[] = ['FATAL_ERROR', 'ERROR', 'IN_PROGRESS', 'PENDING'];
  for (const status of wanted) {
    const found = steps.find((line) => line.status === status);
    if (found !== undefined) return found;
  }
  return steps.at(-1);
}

/** What a run that is cancelled now leaves. */
export interface CancelFacts {
  /** `phase / step` of steps that have begun and are not complete. */
  readonly halfDone: readonly string[];
  readonly done: number;
  readonly notBegun: number;
}

export function cancelFacts(lines: readonly TreeLine[]): CancelFacts {
  const steps = stepLines(lines);
  const hasBegun = ({ status }: StepLine) => status === 'IN_PROGRESS' || status === 'ERROR';
  const isDone = ({ status }: StepLine) => status === 'COMPLETE' || status === 'skipped';
  const halfDone = steps.filter(hasBegun).map(({ phase, step }) => `${phase} / ${step}`);
  const done = steps.filter(isDone).length;
  return { halfDone, done, notBegun: steps.length - done - halfDone.length };
}

function lineOf(phase: string, step: string | undefined, own: RunPhase | RunStep): TreeLine {
  const times: RunStep = step === undefined ? {} : own;
  return {
    phase,
    step,
    status: statusKeyOf(own.status),
    message: own.message ?? '',
    startedAt: times.startedAt,
    finishedAt: times.finishedAt,
    seconds: times.seconds,
    attempts: times.attempts ?? 1,
    canBeSkipped: false,
  };
}

function liveStatus(run: PlanRun, instance: Instance | undefined): PlanStatus | undefined {
  if (isOver(run.status?.status)) return undefined;
  const { plan = '', uid, instanceUid } = run.spec ?? {};
  const status = instance?.metadata.uid === instanceUid ? instance?.status?.planStatus?.[plan] : undefined;
  return status?.uid === uid ? status : undefined;
}

/** States and messages of the Instance with the times of the record. */
function merged(live: PlanStatus, recorded: readonly RunPhase[]): RunPhase[] {
  return (live.phases ?? []).map(({ steps, ...phase }) => {
    const of = recorded.find(({ name }) => name === phase.name)?.steps ?? [];
    const known = new Map(of.map((step) => [step.name, step]));
    return {
      ...phase,
      steps: (steps ?? []).map(({ startedTimestamp, ...step }) => {
        const { startedAt = startedTimestamp, finishedAt, seconds, attempts } = known.get(step.name) ?? {};
        const times = Object.entries({ startedAt, finishedAt, seconds, attempts });
        return { ...step, ...Object.fromEntries(times.filter(([, time]) => time !== undefined)) };
      }),
    };
  });
}

function asStatus({ name = '', steps = [] }: RunPhase): PhaseStatus {
  return {
    name,
    steps: steps.map(({ name: step = '', status, message }) => ({
      name: step,
      ...(status === undefined ? {} : { status }),
      ...(message === undefined ? {} : { message }),
    })),
  };
}
