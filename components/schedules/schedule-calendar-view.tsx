'use client';

import { useMemo } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { formatTime } from '@/lib/clock/clock';
import { zonedTime } from '@/lib/clock/zoned-time';
import {
  type CalendarDay,
  type CalendarEntry,
  MOST_IN_CALENDAR,
  scheduleCalendar,
} from '@/lib/kudo/view/schedule-calendar';
import { type ScheduleRow, schedulePath } from '@/lib/kudo/view/schedule-row';
import { useMinute } from './use-schedule-rows';

/** What starts on each of the next 14 days of the person's zone. */
export function ScheduleCalendarView({ rows }: { rows: readonly ScheduleRow[] }) {
  const timeZone = useTimeZone();
  const minuteMs = useMinute();
  const days = useMemo(() => scheduleCalendar(rows, timeZone, minuteMs), [rows, timeZone, minuteMs]);
  return (
    <>
      <ol className="grid gap-px bg-line sm:grid-cols-2 lg:grid-cols-7" aria-label="The next 14 days">
        {days.map((day, at) => (
          <Day key={day.date} day={day} isToday={at === 0} timeZone={timeZone} />
        ))}
      </ol>
      <p className="border-t px-4 py-2 text-ink-3 text-xs">
        Times in {timeZone}, without blackouts and suspended schedules.
        {rows.length > MOST_IN_CALENDAR && ` The first ${MOST_IN_CALENDAR} schedules are shown; narrow the filter.`}
      </p>
    </>
  );
}

function Day({ day, isToday, timeZone }: { day: CalendarDay; isToday: boolean; timeZone: string }) {
  const isEmpty = day.entries.length === 0;
  return (
    <li
      data-date={day.date}
      className={classNames('min-w-0 bg-surface px-3 py-2 lg:min-h-32', isEmpty && 'max-sm:flex max-sm:gap-2')}
    >
      <h2 className={classNames('font-semibold text-xs', isToday ? 'text-accent' : 'text-ink-2')}>
        {isToday ? `Today, ${day.label}` : day.label}
      </h2>
      {isEmpty ? (
        <p className="text-ink-3 text-xs">Nothing</p>
      ) : (
        <ul className="mt-1 grid gap-1">
          {day.entries.map((entry) => (
            <Entry key={entry.row.key} entry={entry} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Entry({ entry: { row, slots, hasMore }, timeZone }: { entry: CalendarEntry; timeZone: string }) {
  const [first] = slots;
  return (
    <li className="min-w-0 text-xs">
      <span className="text-ink-2 tabular-nums">
        {hasMore && first !== undefined ? (
          <>
            from <SlotTime ms={first} timeZone={timeZone} /> · {row.words?.toLowerCase() ?? 'many times'}
          </>
        ) : (
          slots.map((ms, at) => (
            <span key={ms}>
              {at > 0 && ', '}
              <SlotTime ms={ms} timeZone={timeZone} />
            </span>
          ))
        )}
      </span>
      <Link
        href={schedulePath(row)}
        prefetch={false}
        className="link block truncate"
        title={`${row.name}: plan ${row.plan} of ${row.namespace}/${row.instance}`}
      >
        {row.name}
      </Link>
    </li>
  );
}

function SlotTime({ ms, timeZone }: { ms: number; timeZone: string }) {
  return <time dateTime={formatTime(ms)}>{zonedTime(ms, timeZone).time}</time>;
}
