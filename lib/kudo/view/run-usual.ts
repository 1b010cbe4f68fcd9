import { type UsualTime, usualPlanTime } from '@/lib/kudo/plan/usual-time';
import { recordedRun } from '@/lib/kudo/runs/recorded-runs';
import type { RunRow } from './run-row';

/** How long runs of a plan usually take, from complete ones without the named run; the time in which a person held them is not counted. */
export function usualRunTime(
  rows: readonly RunRow[],
  { plan, name }: Pick<RunRow, 'plan' | 'name'>,
): UsualTime | undefined {
  const others = rows.filter((row) => row.name !== name);
  return usualPlanTime(
    others.flatMap(({ run }) => recordedRun(run) ?? []),
    plan,
  );
}
