import { parseTime } from '@/lib/clock/clock';
import { runsOfInstance } from '@/lib/kudo/plan/recorded-run';
import type { RecordedRun, RecordedStep } from '@/lib/kudo/plan/run-history';
import type { Instance } from '@/lib/kudo/types';
import { isOver, type PlanRun, type RunStatus } from './plan-run';
import { byTime } from './run-words';

/** Runs whose backups exist are kept beyond the number of their plan. */
const MOST_OF_PLAN = 20;

/** What histories show of a PlanRun: how it and each of its steps ended, and how long they took, in seconds; undefined while it is not over. */
export function recordedRun({ spec, status }: PlanRun): RecordedRun | undefined {
  if (!isOver(status?.status)) return undefined;
  const { startedAt = '', finishedAt = '', heldSeconds = 0, phases = [] } = status ?? {};
  const [began, ended] = [parseTime(startedAt), parseTime(finishedAt)];
  const isTimed = began !== undefined && ended !== undefined;
  return {
    plan: spec?.plan ?? '',
    uid: spec?.uid ?? '',
    status: executionStatus(status?.status),
    startedAt,
    endedAt: finishedAt,
    seconds: isTimed ? Math.max(0, (ended - began) / 1_000 - heldSeconds) : undefined,
    steps: phases.flatMap(({ name: phase = '', steps = [] }) =>
      steps.map(({ name = '', status: end = 'NEVER_RUN', seconds }): RecordedStep => {
        return { phase, step: name, status: end, seconds };
      }),
    ),
  };
}

/**
 * The runs of an Instance that have ended, the oldest first: its PlanRuns, and what only the Instance itself tells of (the last run of each
 * plan where the cluster keeps no PlanRuns, or before it kept any). Of each plan the last twenty.
 *
 * @param planRuns may be those of other Instances, too
 */
export function runsThatEnded(instance: Instance, planRuns: readonly PlanRun[]): RecordedRun[] {
  const own = planRuns.filter(({ spec }) => spec?.instanceUid === instance.metadata.uid);
  const runs = [...own].sort((a, b) => byTime(b, a)).flatMap((run) => recordedRun(run) ?? []);
  const known = new Set(runs.map(({ uid }) => uid));
  const others = runsOfInstance(instance).filter(({ uid }) => !known.has(uid));
  const all = [...others, ...runs].sort((a, b) => (parseTime(a.endedAt) ?? 0) - (parseTime(b.endedAt) ?? 0));
  const countByPlan = new Map<string, number>();
  const last = all.reverse().filter(({ plan }) => {
    const count = (countByPlan.get(plan) ?? 0) + 1;
    countByPlan.set(plan, count);
    return count <= MOST_OF_PLAN;
  });
  return last.reverse();
}

/** An Instance says of a cancelled run what KUDO's clients know. */
function executionStatus(status: RunStatus | undefined): RecordedRun['status'] {
  return status === 'COMPLETE' ? 'COMPLETE' : 'FATAL_ERROR';
}
