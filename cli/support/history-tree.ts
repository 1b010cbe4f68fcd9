import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { Tree } from './output';

const ENDED = new Set<string | undefined>(['COMPLETE', 'FATAL_ERROR']);

/**
 * `plan history`: one entry per plan, sorted by name, in KUDO's words (pkg/kudoctl/cmd/plan/plan_history.go), except that a
 * plan that is in progress "is running" also when it has a time stamp. Below each plan are its earlier runs,
 * newest first; KUDO recorded none.
 *
 * @param ended the runs that have ended, the oldest first
 */
export function historyTree(instance: Instance, ended: readonly RecordedRun[]): Tree {
  const runsByPlan = byPlan(ended);
  const planStatus = instance.status?.planStatus ?? {};
  const names = [...new Set([...Object.keys(planStatus), ...runsByPlan.keys()])].sort();
  const children = names.map((name) => {
    const runs = runsByPlan.get(name) ?? [];
    const status = planStatus[name];
    const shown = status === undefined ? runs[0]?.uid : status.uid;
    const earlier = runs.filter(({ uid }) => uid !== shown).map((run) => ({ value: earlierRun(run) }));
    const value = `${name} (${lastRun(status ?? statusOf(runs[0]))})`;
    return earlier.length === 0 ? { value } : { value, children: earlier };
  });
  return { value: '.', children };
}

/** Newest first. */
function byPlan(ended: readonly RecordedRun[]): Map<string, RecordedRun[]> {
  const runsByPlan = new Map<string, RecordedRun[]>();
  for (const run of ended) {
    runsByPlan.set(run.plan, [run, ...(runsByPlan.get(run.plan) ?? [])]);
  }
  return runsByPlan;
}

function statusOf(run: RecordedRun | undefined): PlanStatus {
  return run === undefined ? {} : { status: run.status, lastUpdatedTimestamp: run.endedAt };
}

function lastRun({ status, lastUpdatedTimestamp }: PlanStatus): string {
  if (status === undefined) return 'never run';
  if (status === 'NEVER_RUN') return status;
  if (!ENDED.has(status)) return 'is running';
  const when = seconds(lastUpdatedTimestamp ?? '');
  return when === '' ? status : `last finished run at ${when} (${status})`;
}

function earlierRun({ status, endedAt, seconds: took }: RecordedRun): string {
  const when = endedAt === '' ? '' : `, finished at ${seconds(endedAt)}`;
  return `earlier run${when}${took === undefined ? '' : ` after ${took} s`} (${status})`;
}

/** RFC 3339 without the fraction and the zone, as KUDO prints it. */
function seconds(time: string): string {
  return time.slice(0, 19);
}
