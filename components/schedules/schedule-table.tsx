'use client';

import { useRowPx } from '@/components/ui/display-settings';
import { Link } from '@/components/ui/link';
import { RowSpacer } from '@/components/ui/row-spacer';
import { StatusMark, StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { ZonedMoment } from '@/components/ui/zoned-moment';
import { formatAge } from '@/lib/clock/duration';
import { planTitle } from '@/lib/kudo/names';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import { type ScheduleRow, schedulePath, scheduleStateWords } from '@/lib/kudo/view/schedule-row';

const ROW_PX = 44;

/** Runs by `namespace/name`. */
export type RunsByKey = ReadonlyMap<string, RunRow>;

interface ScheduleTableProps {
  rows: readonly ScheduleRow[];
  runs: RunsByKey;
  withInstance?: boolean;
}

/**
 * Schedules: what starts, when, the next time in the person's zone, and how the last run went. Of more than 200 only those in view are
 * drawn.
 */
export function ScheduleTable({ rows, runs, withInstance = false }: ScheduleTableProps) {
  const nowMs = useNow(5_000);
  const timeZone = useTimeZone();
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  const columns = withInstance ? 6 : 5;
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Schedules</caption>
      <colgroup>
        <col className="w-[34%] sm:w-[120px]" />
        <col className="w-[66%] sm:w-auto" />
        {withInstance && <col className="max-sm:hidden sm:w-[17%]" />}
        <col className="max-md:hidden md:w-[21%]" />
        <col className="max-sm:hidden sm:w-[150px]" />
        <col className="max-lg:hidden lg:w-[19%]" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Schedule</th>
          {withInstance && (
            <th scope="col" className="max-sm:hidden">
              Instance
            </th>
          )}
          <th scope="col" className="max-md:hidden">
            When
          </th>
          <th scope="col" className="max-sm:hidden">
            Next
          </th>
          <th scope="col" className="max-lg:hidden">
            Last run
          </th>
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={columns} />
        {rows.slice(first, last).map((row, index) => (
          <tr key={row.key} aria-rowindex={first + index + 2} data-schedule={row.name} data-state={row.state}>
            <td>
              <StatusText {...scheduleStateWords[row.state]} />
            </td>
            <NameCell row={row} nowMs={nowMs} timeZone={timeZone} />
            {withInstance && (
              <td className="max-sm:hidden">
                <Link className="link block truncate" href={instancePath(row.namespace, row.instance)} prefetch={false}>
                  {row.instance}
                </Link>
                <span className="block truncate text-ink-3 text-xs">{row.namespace}</span>
              </td>
            )}
            <td className="max-md:hidden">
              <WhenWords row={row} />
            </td>
            <td className="max-sm:hidden">
              <NextSlot row={row} nowMs={nowMs} timeZone={timeZone} />
            </td>
            <td className="max-lg:hidden">
              <LastRun row={row} runs={runs} nowMs={nowMs} />
            </td>
          </tr>
        ))}
        <RowSpacer heightPx={after} columns={columns} />
      </tbody>
    </table>
  );
}

function NameCell({ row, nowMs, timeZone }: { row: ScheduleRow; nowMs: number; timeZone: string }) {
  return (
    <td>
      <Link className="link block truncate font-medium" href={schedulePath(row)} prefetch={false} title={row.name}>
        {row.name}
      </Link>
      <span className="block truncate text-ink-3 text-xs">{planTitle(row.plan)}</span>
      <span className="block truncate text-ink-2 text-xs sm:hidden">
        {row.nextMs !== undefined && (
          <>
            Next: <ZonedMoment ms={row.nextMs} nowMs={nowMs} timeZone={timeZone} />
          </>
        )}
      </span>
      {row.problem !== '' && row.state !== 'suspended' && (
        <span className="line-clamp-2 text-fail text-xs" title={row.problem}>
          {row.problem}
        </span>
      )}
    </td>
  );
}

/** The expression in words, else itself, and its zone. */
export function WhenWords({ row }: { row: Pick<ScheduleRow, 'words' | 'expression' | 'timeZone'> }) {
  return (
    <>
      <span className="block truncate" title={row.expression}>
        {row.words ?? <code>{row.expression}</code>}
      </span>
      <span className="block truncate text-ink-3 text-xs">{row.timeZone}</span>
    </>
  );
}

function NextSlot({ row, nowMs, timeZone }: { row: ScheduleRow; nowMs: number; timeZone: string }) {
  if (row.nextMs === undefined) return <span className="text-ink-3">{row.state === 'suspended' ? '—' : 'Never'}</span>;
  return (
    <>
      <ZonedMoment ms={row.nextMs} nowMs={nowMs} timeZone={timeZone} />
      <span className="block text-ink-3 text-xs">in {formatAge(row.nextMs - nowMs)}</span>
    </>
  );
}

function LastRun({ row, runs, nowMs }: { row: ScheduleRow; runs: RunsByKey; nowMs: number }) {
  const { lastRun, lastSlot, namespace, instance } = row;
  if (lastRun === undefined) return <span className="text-ink-3">None yet</span>;
  const run = runs.get(`${namespace}/${lastRun}`);
  return (
    <>
      <span className="flex items-center gap-1.5">
        {run !== undefined && <StatusMark status={run.status} />}
        <Link
          className="link min-w-0 truncate"
          href={runPath({ namespace, instance, name: lastRun })}
          prefetch={false}
          title={lastRun}
        >
          {lastRun}
        </Link>
      </span>
      <span className="block text-ink-3 text-xs">
        <Age at={run?.startedAt ?? lastSlot} nowMs={nowMs} suffix=" ago" />
        {row.missed > 0 && ` · ${row.missed} missed`}
      </span>
    </>
  );
}
