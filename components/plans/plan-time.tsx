'use client';

import { useNow } from '@/components/ui/use-now';
import { useExactTime } from '@/components/ui/use-time-zone';
import { parseTime } from '@/lib/clock/clock';
import { formatElapsed } from '@/lib/clock/duration';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { isLate, type UsualTime, usualPlanTime, usualStepTime } from '@/lib/kudo/plan/usual-time';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { PlanView } from '@/lib/kudo/view/plan-view';
import { usualText } from '@/lib/kudo/view/run-facts';
import { shownStart } from '@/lib/live/start-mark';
import { useRunHistory } from './use-run-history';

/** How long the plan has been running and how long it usually takes: `48 s of usually 1–2 min`. */
export function PlanTime({ row, plan }: { row: InstanceRow; plan: PlanView }) {
  const usual = usualPlanTime(useRunHistory(row), plan.name);
  const at = shownStart(row.instance, row.instance.spec?.planExecution?.uid);
  if (plan.status === 'PENDING' || at === undefined) return null;
  return (
    <>
      {' · plan '}
      <Elapsed at={at} usual={usual} />
    </>
  );
}

/** The same for a running step. */
export function StepClock({
  history,
  place,
  at,
}: {
  history: readonly RecordedRun[];
  place: { readonly plan: string; readonly phase: string; readonly step: string };
  at: string;
}) {
  return <Elapsed at={at} usual={usualStepTime(history, place)} />;
}

function Elapsed({ at, usual }: { at: string; usual: UsualTime | undefined }) {
  const exact = useExactTime();
  const nowMs = useNow(1_000);
  const startedMs = parseTime(at);
  if (startedMs === undefined) return null;
  const elapsedMs = Math.max(0, nowMs - startedMs);
  const late = isLate(elapsedMs / 1_000, usual);
  return (
    <span className={late ? 'font-medium text-wait' : undefined}>
      <time dateTime={at} title={exact(at)} className="whitespace-nowrap">
        {formatElapsed(elapsedMs)}
      </time>
      {usual !== undefined && (late ? `, late: ${usualText(usual)}` : ` of ${usualText(usual)}`)}
    </span>
  );
}
