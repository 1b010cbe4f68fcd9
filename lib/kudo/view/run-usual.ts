import { parseTime } from '@/lib/clock/clock';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { type UsualTime, usualPlanTime } from '@/lib/kudo/plan/usual-time';
import type { RunRow } from './run-row';

/** How long runs of a plan usually take, from complete ones without the named run; the time in which a person held them is not counted. */
export function usualRunTime(
  rows: readonly RunRow[],
  { plan, name }: Pick<RunRow, 'plan' | 'name'>,
): UsualTime | undefined {
  const others = rows.filter((row) => row.plan === plan && row.name !== name && row.status === 'COMPLETE');
  return usualPlanTime(others.map(recorded), plan);
}

function recorded({ run, plan, startedAt, finishedAt = '' }: RunRow): RecordedRun {
  const [began, ended] = [parseTime(run.status?.startedAt), parseTime(finishedAt)];
  const isKnown = began !== undefined && ended !== undefined;
  const seconds = isKnown ? Math.max(0, (ended - began) / 1_000 - (run.status?.heldSeconds ?? 0)) : undefined;
  return { plan, uid: run.spec?.uid ?? '', status: 'COMPLETE', startedAt, endedAt: finishedAt, seconds, steps: [] };
}
