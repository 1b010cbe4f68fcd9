'use client';

import { useMemo } from 'react';
import { useObject } from '@/components/live/use-topic';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { StatusText } from '@/components/ui/status';
import { TopicState } from '@/components/ui/topic-state';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { NEXT_SHOWN } from '@/lib/kudo/schedules/next-step';
import type { PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { nextSlots, slotsOf } from '@/lib/kudo/schedules/slots';
import { type ScheduleRow, scheduleRow, scheduleStateWords } from '@/lib/kudo/view/schedule-row';
import { topics } from '@/lib/live/topic';
import { NextTimes } from './next-times';
import { NoScheduleDefinition } from './no-schedules';
import { ScheduleActions } from './schedule-actions';
import { ScheduleFacts } from './schedule-facts';
import { SlotHistory } from './slot-history';
import { useMinute } from './use-schedule-rows';
import { useScheduleTarget } from './use-schedule-target';

/** One schedule, live: its rules, its next five times, and what became of the last ones. */
export function SchedulePage({ namespace, name }: { namespace: string; name: string }) {
  const { status, object, deleted, last, message } = useObject(topics.planSchedules, namespace, name);
  const schedule = (object ?? last) as PlanSchedule | undefined;
  if (schedule !== undefined) return <KnownSchedule schedule={schedule} deleted={deleted} />;
  return (
    <section className="card overflow-clip">
      {status === 'missing' ? (
        <NoScheduleDefinition heading />
      ) : (
        <TopicState view={{ status, ...(message === undefined ? {} : { message }) }} what="schedules" />
      )}
      {status === 'ready' && (
        <EmptyState
          heading
          title={`Schedule ${name} does not exist in namespace ${namespace}`}
          action={
            <LinkButton href="/schedules" variant="primary">
              All schedules
            </LinkButton>
          }
        >
          It was deleted, or the address is wrong.
        </EmptyState>
      )}
    </section>
  );
}

function KnownSchedule({ schedule, deleted }: { schedule: PlanSchedule; deleted: boolean }) {
  const minuteMs = useMinute();
  const timeZone = useTimeZone();
  const row = useMemo(() => scheduleRow(schedule, minuteMs), [schedule, minuteMs]);
  const runs = useInstanceRuns(row.namespace, row.instance);
  const target = useScheduleTarget(row.namespace, row.instance);
  const { history = [] } = schedule.status ?? {};
  return (
    <>
      <PageHeader
        title={row.name}
        crumbs={[{ label: 'Schedules', href: '/schedules' }, { label: row.namespace }]}
        note={<StatusText {...scheduleStateWords[row.state]} />}
        actions={!deleted && <ScheduleActions row={row} />}
      />
      {deleted && (
        <Notice tone="hold" title={`Schedule ${row.name} was deleted`} className="mb-4">
          This page shows its last known state.
        </Notice>
      )}
      {row.problem !== '' && !deleted && (
        <Notice tone={row.state === 'problem' ? 'fail' : 'hold'} title={problemTitle(row)} className="mb-4">
          {row.problem}
        </Notice>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          <Card title="Next times">
            <NextOfSchedule row={row} minuteMs={minuteMs} timeZone={timeZone} />
          </Card>
          <Card title="Last times" note={history.length > 0 && String(history.length)}>
            <SlotHistory entries={history} runs={runs} nowMs={minuteMs} timeZone={timeZone} />
          </Card>
        </div>
        <Card title="Schedule" padded>
          <ScheduleFacts row={row} target={target} />
        </Card>
      </div>
    </>
  );
}

function problemTitle({ state }: ScheduleRow): string {
  if (state === 'waiting') return 'A time waits for its instance';
  return state === 'suspended' ? 'Before it was suspended, the last time had no run' : 'The last time had no run';
}

function NextOfSchedule({ row, minuteMs, timeZone }: { row: ScheduleRow; minuteMs: number; timeZone: string }) {
  const slots = slotsOf(row.schedule.spec);
  if (typeof slots === 'string')
    return <p className="px-4 py-5 text-ink-2">The definition is wrong: it never starts.</p>;
  if (row.state === 'suspended') {
    return <p className="px-4 py-5 text-ink-2">It is suspended. Times that pass meanwhile are not made up for.</p>;
  }
  const next = nextSlots(slots, minuteMs, NEXT_SHOWN);
  if (next.length === 0) return <p className="px-4 py-5 text-ink-2">There is no time any more.</p>;
  return <NextTimes slots={next} zone={row.timeZone} timeZone={timeZone} nowMs={minuteMs} />;
}
