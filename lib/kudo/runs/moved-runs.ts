import { parseTime } from '@/lib/clock/clock';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { RecordedRun, RecordedStep } from '@/lib/kudo/plan/run-history';
import type { ExecutionStatus, Instance } from '@/lib/kudo/types';
import { beginningOf, newPlanRun } from './new-run';
import { isOver, type PlanRun, type PlanRunStatus, type RunPhase } from './plan-run';
import { DAY_MS, type RunLimits } from './retention';

export interface MoveInput {
  /** Recorded on an Instance by an earlier version, oldest first. */
  readonly recorded: readonly RecordedRun[];
  /** The PlanRuns of the same Instance. */
  readonly known: readonly PlanRun[];
  readonly nowMs: number;
  readonly limits: RunLimits;
}

/**
 * The recorded runs that become PlanRuns, oldest first: those that have none, or one that does not say yet how it ended. A run that would be
 * deleted at once, for its age or because of each plan only so many are kept, is left out, and so is what no controller wrote.
 */
export function runsToMove({ recorded, known, nowMs, limits }: MoveInput): RecordedRun[] {
  const byUid = new Map(known.map((run) => [run.spec?.uid, run]));
  const countByPlan = new Map<string, number>();
  const count = (plan: string) => {
    const next = (countByPlan.get(plan) ?? 0) + 1;
    countByPlan.set(plan, next);
    return next;
  };
  for (const { spec } of known) count(spec?.plan ?? '');
  const isWanted = (run: RecordedRun) => {
    const made = byUid.get(run.uid);
    if (made !== undefined) return !isOver(made.status?.status);
    const endedMs = parseTime(run.endedAt);
    const isOld = endedMs !== undefined && nowMs - endedMs > limits.days * DAY_MS;
    return isPlausible(run, nowMs) && !isOld && count(run.plan) <= limits.perPlan;
  };
  return [...recorded].reverse().filter(isWanted).reverse();
}

/** The clock of another controller may have been so far ahead. */
const MAX_AHEAD_MS = DAY_MS;
const MAX_NAME_CHARS = 253;

/** Everybody who may write the Instance can write the annotation: a record from the future would outlive those that controllers made. */
function isPlausible({ plan, uid, startedAt, endedAt }: RecordedRun, nowMs: number): boolean {
  const isTime = (text: string) => {
    const ms = parseTime(text);
    return text === '' || (ms !== undefined && ms <= nowMs + MAX_AHEAD_MS);
  };
  return isTime(startedAt) && isTime(endedAt) && plan.length <= MAX_NAME_CHARS && uid.length <= MAX_NAME_CHARS;
}

/** The message of a run that was moved: why it failed is not known either. */
const MOVED =
  'An earlier version of Bravo recorded this run on its Instance, without why it began and who asked for it.';

/** The PlanRun of such a run, as it is created. Its cause is absent unless the Instance still says why it began. */
export function movedRun(instance: Instance, run: RecordedRun, number: number): PlanRun {
  const made = newPlanRun(instance, run, number);
  if (isOriginKnown(instance, run)) return made;
  const { cause: _, ...spec } = made.spec ?? {};
  return { ...made, spec };
}

/** What its status says; times that nobody knows are absent. */
export function movedStatus(instance: Instance, run: RecordedRun): PlanRunStatus {
  return {
    ...beginningOf(instance, run),
    status: run.status === 'COMPLETE' ? 'COMPLETE' : 'FATAL_ERROR',
    ...(isOriginKnown(instance, run) ? {} : { message: MOVED }),
    ...(run.startedAt === '' ? {} : { startedAt: run.startedAt }),
    ...(run.endedAt === '' ? {} : { finishedAt: run.endedAt }),
    phases: phasesOf(run.steps),
  };
}

function isOriginKnown(instance: Instance, { uid }: RecordedRun): boolean {
  const record = actedUpon(instance);
  return record?.uid === uid && record.origin !== undefined;
}

function phasesOf(steps: readonly RecordedStep[]): RunPhase[] {
  const names = [...new Set(steps.map(({ phase }) => phase))];
  return names.map((name) => {
    const own = steps.filter(({ phase }) => phase === name);
    return {
      name,
      status: statusOf(own),
      steps: own.map(({ step, status, seconds }) => ({
        name: step,
        status,
        ...(seconds === undefined ? {} : { seconds }),
      })),
    };
  });
}

function statusOf(steps: readonly RecordedStep[]): ExecutionStatus {
  if (steps.every(({ status }) => status === 'COMPLETE')) return 'COMPLETE';
  return steps.some(({ status }) => status === 'FATAL_ERROR' || status === 'ERROR') ? 'FATAL_ERROR' : 'PENDING';
}
