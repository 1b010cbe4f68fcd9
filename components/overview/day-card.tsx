'use client';

import { useMemo } from 'react';
import { useRunRows } from '@/components/runs/use-run-rows';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { useNow } from '@/components/ui/use-now';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { zonedTime } from '@/lib/clock/zoned-time';
import { type HourOfRuns, hoursOfRuns, hourWords } from '@/lib/kudo/view/day-strip';

const BAR_PX = 40;
const LEAST_PX = 4;

/** The plans of the last day as a strip, an hour each. Nothing where the cluster keeps no records of runs. */
export function DayCard() {
  const { rows, view } = useRunRows();
  const minuteMs = Math.floor(useNow(30_000) / 60_000) * 60_000;
  const hours = useMemo(() => hoursOfRuns(rows, minuteMs), [rows, minuteMs]);
  if (view.status !== 'ready') return null;
  const sum = (part: 'done' | 'failed' | 'other') => hours.reduce((all, hour) => all + hour[part], 0);
  const [done, failed, other] = [sum('done'), sum('failed'), sum('other')];
  const parts = [`${done} done`, ...(failed > 0 ? [`${failed} failed`] : []), ...(other > 0 ? [`${other} other`] : [])];
  return (
    <Card
      title="The last 24 hours"
      note={done + failed + other > 0 && parts.join(' · ')}
      action={
        <Link href="/runs?within=24h" className="link">
          Runs
        </Link>
      }
    >
      {done + failed + other === 0 ? (
        <p className="px-4 py-5 text-ink-2">No plan has run in the last 24 hours.</p>
      ) : (
        <Strip hours={hours} />
      )}
    </Card>
  );
}

function Strip({ hours }: { hours: readonly HourOfRuns[] }) {
  const timeZone = useTimeZone();
  const most = Math.max(1, ...hours.map(({ done, failed, other }) => done + failed + other));
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST_PX, (count / most) * BAR_PX));
  return (
    <ol className="flex items-end gap-[3px] px-4 pt-4 pb-2" aria-label="Runs by the hour in which they began">
      {hours.map((hour, at) => {
        const { time } = zonedTime(hour.fromMs, timeZone);
        const text = `From ${time}: ${hourWords(hour)}`;
        return (
          <li key={hour.fromMs} title={text} className="min-w-0 flex-1">
            <span className="sr-only">{text}</span>
            <span
              aria-hidden="true"
              className="flex flex-col justify-end gap-px border-b"
              style={{ height: BAR_PX + 4 }}
            >
              <span className="state-cell bg-fail" style={{ height: height(hour.failed) }} />
              <span className="state-cell bg-idle" style={{ height: height(hour.other) }} />
              <span className="state-cell bg-ok" style={{ height: height(hour.done) }} />
            </span>
            <span aria-hidden="true" className="block whitespace-nowrap pt-1 text-2xs text-ink-3 tabular-nums">
              {at % 6 === 0 ? time : '\u00a0'}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
