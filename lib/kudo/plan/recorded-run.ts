import { parseTime } from '@/lib/clock/clock';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';
import { HISTORY_ANNOTATION, historyAfter, type RecordedRun, runHistory } from './run-history';
import { isTerminal } from './status';

/** The Instance with a run that has just ended at the end of its history; the same object when nothing changes. */
export function withEndOfRun(
  instance: Instance,
  uid: string,
  { keepsEarlier }: { readonly keepsEarlier: boolean },
): Instance {
  const [plan, status] = endedPlans(instance).find(([, ended]) => ended.uid === uid) ?? [];
  if (plan === undefined || status === undefined) return instance;
  const text = historyAfter(instance, recordedRun(instance, plan, status), { keepsEarlier });
  if (instance.metadata.annotations?.[HISTORY_ANNOTATION] === text) return instance;
  const annotations = { ...instance.metadata.annotations, [HISTORY_ANNOTATION]: text };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** What the Instance itself tells of runs that have ended, the oldest first: of each plan the last one, and what it remembers of earlier ones. */
export function runsOfInstance(instance: Instance): RecordedRun[] {
  const before = new Map(runHistory(instance).map((run) => [run.uid, run]));
  for (const [plan, status] of endedPlans(instance)) {
    const known = before.get(status.uid ?? '');
    if (known === undefined || known.steps.length === 0) {
      const { steps, ...run } = recordedRun(instance, plan, status);
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

function recordedRun(instance: Instance, plan: string, status: PlanStatus): RecordedRun {
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
        seconds: undefined,
      })),
    ),
  };
}
