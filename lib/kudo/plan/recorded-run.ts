import { parseTime } from '@/lib/clock/clock';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon';
import { formatRuns, HISTORY_ANNOTATION, type RecordedRun, runHistory, withRuns } from './run-history';
import { isTerminal } from './status';
import type { StepTimes } from './step-times';

/**
 * The Instance with its history up to the run that has just ended. Runs of other plans that ended without a record (another plan
 * replaced them, or KUDO ran them) are added from their status.
 *
 * @param times of the run that has ended; undefined when another process ran it
 */
export function withRunHistory(
  instance: Instance,
  ended: { readonly uid: string; readonly times: StepTimes | undefined },
): Instance {
  const runs = endedPlans(instance)
    // Recorded times are whole seconds: among equal times the run that has just ended is the last.
    .sort(([, a], [, b]) => Number(a.uid === ended.uid) - Number(b.uid === ended.uid))
    .map(([plan, status]) => recordedRun(instance, plan, status, status.uid === ended.uid ? ended.times : undefined));
  const before = runHistory(instance);
  const after = withRuns(before, runs);
  if (after.length === before.length && after.at(-1)?.uid === before.at(-1)?.uid) return instance;
  const annotations = { ...instance.metadata.annotations, [HISTORY_ANNOTATION]: formatRuns(after) };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** What the Instance itself tells of runs that have ended, the oldest first: of each plan the last one, and what it remembers of earlier ones. */
export function runsOfInstance(instance: Instance): RecordedRun[] {
  const before = new Map(runHistory(instance).map((run) => [run.uid, run]));
  for (const [plan, status] of endedPlans(instance)) {
    const known = before.get(status.uid ?? '');
    if (known === undefined || known.steps.length === 0) {
      const { steps, ...run } = recordedRun(instance, plan, status, undefined);
      before.set(run.uid, { ...run, ...known, steps });
    }
  }
  return [...before.values()];
}

/** Plans whose last run has ended, the one that ended first at the beginning. */
function endedPlans({ status }: Instance): [string, PlanStatus][] {
  return Object.entries(status?.planStatus ?? {})
    .filter(([, { status: end, uid = '' }]) => isTerminal(end) && uid !== '')
    .sort(([, a], [, b]) => (a.lastUpdatedTimestamp ?? '').localeCompare(b.lastUpdatedTimestamp ?? ''));
}

function recordedRun(instance: Instance, plan: string, status: PlanStatus, times: StepTimes | undefined): RecordedRun {
  const seen = actedUpon(instance);
  const startedAt = seen?.uid === status.uid ? (seen?.startedAt ?? '') : '';
  const endedAt = status.lastUpdatedTimestamp ?? '';
  const [startedMs, endedMs] = [parseTime(startedAt), parseTime(endedAt)];
  const isTimed = startedMs !== undefined && endedMs !== undefined && endedMs >= startedMs;
  return {
    plan,
    uid: status.uid ?? '',
    status: status.status ?? 'NEVER_RUN',
    startedAt,
    endedAt,
    seconds: isTimed ? (endedMs - startedMs) / 1_000 : undefined,
    steps: (status.phases ?? []).flatMap((phase) =>
      (phase.steps ?? []).map((step) => ({
        phase: phase.name ?? '',
        step: step.name ?? '',
        status: step.status ?? 'NEVER_RUN',
        seconds: times?.secondsOf(phase.name, step.name),
      })),
    ),
  };
}
