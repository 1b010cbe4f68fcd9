'use client';

import { memo } from 'react';
import { useRowPx } from '@/components/ui/display-settings';
import { Link } from '@/components/ui/link';
import { RowSpacer } from '@/components/ui/row-spacer';
import { StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { formatAge } from '@/lib/clock/duration';
import { planTitle } from '@/lib/kudo/names';
import { durationOf } from '@/lib/kudo/runs/run-words';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { spanText } from '@/lib/kudo/view/run-facts';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';

const ROW_PX = 44;

/** Which runs are ticked, by name. */
export interface RunTicks {
  readonly ticked: readonly string[];
  readonly onTick: (name: string) => void;
}

/** Runs with why they began, who asked, and how long they took. Of more than 200 only those in view are drawn. */
export function RunTable({
  rows,
  withInstance = false,
  ticks,
}: {
  rows: readonly RunRow[];
  withInstance?: boolean;
  /** Adds a checkbox to each row. */
  ticks?: RunTicks;
}) {
  const nowMs = useNow(5_000);
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Runs</caption>
      <colgroup>
        {ticks !== undefined && <col className="w-12" />}
        <col className="w-[34%] sm:w-[120px]" />
        <col className="w-[66%] sm:w-auto" />
        {withInstance && <col className="max-sm:hidden sm:w-[16%]" />}
        <col className="max-md:hidden md:w-[22%]" />
        <col className="max-lg:hidden lg:w-[16%]" />
        <col className="max-sm:hidden sm:w-[104px]" />
        <col className="max-sm:hidden sm:w-[96px]" />
      </colgroup>
      <thead>
        <tr>
          {ticks !== undefined && (
            <th scope="col">
              <span className="sr-only">Chosen</span>
            </th>
          )}
          <th scope="col">Status</th>
          <th scope="col">Run</th>
          {withInstance && (
            <th scope="col" className="max-sm:hidden">
              Instance
            </th>
          )}
          <th scope="col" className="max-md:hidden">
            Why
          </th>
          <th scope="col" className="max-lg:hidden">
            Who
          </th>
          <th scope="col" className="max-sm:hidden">
            Started
          </th>
          <th scope="col" className="max-sm:hidden">
            Duration
          </th>
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={ticks === undefined ? 6 : 7} />
        {rows.slice(first, last).map((row, index) => (
          <RunTableRow
            key={row.key}
            row={row}
            nowMs={nowMs}
            index={first + index}
            withInstance={withInstance}
            isTicked={ticks?.ticked.includes(row.name)}
            onTick={ticks?.onTick}
          />
        ))}
        <RowSpacer heightPx={after} columns={ticks === undefined ? 6 : 7} />
      </tbody>
    </table>
  );
}

const RunTableRow = memo(function RunTableRow({
  row,
  nowMs,
  index,
  withInstance,
  isTicked,
  onTick,
}: {
  row: RunRow;
  nowMs: number;
  index: number;
  withInstance: boolean;
  isTicked: boolean | undefined;
  onTick: RunTicks['onTick'] | undefined;
}) {
  const took = durationOf(row.run, nowMs);
  return (
    <tr aria-rowindex={index + 2} data-run={row.name} data-status={row.status}>
      {onTick !== undefined && (
        <td>
          <label className="grid size-6 place-items-center">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={isTicked === true}
              onChange={() => onTick(row.name)}
            />
            <span className="sr-only">Choose run {row.name}</span>
          </label>
        </td>
      )}
      <td>
        <StatusText status={row.status} />
      </td>
      <td>
        <Link className="link block truncate font-medium" href={runPath(row)} prefetch={false} title={row.name}>
          {row.name}
        </Link>
        <span className="block truncate text-ink-3 text-xs">
          {planTitle(row.plan)}
          <span className="sm:hidden">
            {withInstance && ` · ${row.namespace}`} · <Age at={row.startedAt} nowMs={nowMs} suffix=" ago" />
          </span>
        </span>
      </td>
      {withInstance && (
        <td className="max-sm:hidden">
          <Link className="link block truncate" href={instancePath(row.namespace, row.instance)} prefetch={false}>
            {row.instance}
          </Link>
          <span className="block truncate text-ink-3 text-xs">{row.namespace}</span>
        </td>
      )}
      <td className="max-md:hidden">
        <span className="block truncate" title={row.why}>
          {row.why}
        </span>
        {row.reason !== '' && (
          <span className="block truncate text-ink-2 text-xs" title={row.reason}>
            “{row.reason}”
          </span>
        )}
      </td>
      <td className="truncate text-ink-2 max-lg:hidden" title={row.who}>
        {row.who === '' ? '—' : row.who}
      </td>
      <td className="whitespace-nowrap max-sm:hidden">
        <Age at={row.startedAt} nowMs={nowMs} suffix=" ago" />
      </td>
      <td className="whitespace-nowrap tabular-nums max-sm:hidden">
        {took === undefined ? '—' : row.isOver ? spanText(took / 1_000) : formatAge(took)}
      </td>
    </tr>
  );
});
