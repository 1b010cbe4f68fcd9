'use client';

import { useNow } from '@/components/live/use-connection';
import { SortHeader } from '@/components/ui/sort-header';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import type { SortColumn, TableState } from './instance-filter';
import type { InstanceRow } from './instance-row';
import { InstanceTableRow } from './instance-table-row';
import { useDriftMarks } from './use-drift-marks';

const columns: readonly { column: SortColumn; label: string; className?: string }[] = [
  { column: 'status', label: 'Status' },
  { column: 'name', label: 'Name' },
  { column: 'namespace', label: 'Namespace', className: 'max-md:hidden' },
  { column: 'operator', label: 'Operator', className: 'max-sm:hidden' },
  { column: 'plan', label: 'Active plan', className: 'max-sm:hidden' },
  { column: 'age', label: 'Age', className: 'num max-sm:hidden' },
];

const ROW_PX = 44;

/** The table of Instances. Over 200 rows only those in view are drawn; the count stays known to screen readers. */
export function InstanceTable({
  rows,
  gone,
  state,
  onSort,
}: {
  rows: readonly InstanceRow[];
  /** Keys of rows that are drawn although they are gone. */
  gone: ReadonlySet<string>;
  state: TableState;
  onSort: (sort: SortColumn, descending: boolean) => void;
}) {
  const nowMs = useNow(5_000);
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, ROW_PX);
  const inView = rows.slice(first, last);
  const drifted = useDriftMarks(inView);
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Instances</caption>
      <colgroup>
        <col className="w-[46%] sm:w-[30%]" />
        <col className="w-[54%] sm:w-[20%]" />
        <col className="w-[12%] max-md:hidden" />
        <col className="w-[16%] max-sm:hidden" />
        <col className="w-[18%] max-sm:hidden" />
        <col className="w-[76px] max-sm:hidden" />
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <SortHeader
              key={column.column}
              {...column}
              sort={state.sort}
              descending={state.descending}
              onSort={onSort}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        {before > 0 && <Spacer heightPx={before} />}
        {inView.map((row, index) => (
          <InstanceTableRow
            key={row.key}
            row={row}
            isGone={gone.has(row.key)}
            drifted={drifted[row.key] ?? 0}
            nowMs={nowMs}
            index={first + index}
          />
        ))}
        {after > 0 && <Spacer heightPx={after} />}
      </tbody>
    </table>
  );
}

function Spacer({ heightPx }: { heightPx: number }) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it holds the place of rows that are not drawn
    <tr role="presentation">
      <td colSpan={6} className="!p-0 !border-0" style={{ height: heightPx }} />
    </tr>
  );
}
