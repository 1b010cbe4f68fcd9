'use client';

import { useMemo } from 'react';
import { usePreference } from '@/components/shell/preferences';
import { classNames } from '@/components/ui/class-names';
import { ColumnResizer } from '@/components/ui/column-resizer';
import { useRowPx } from '@/components/ui/display-settings';
import { RowSpacer } from '@/components/ui/row-spacer';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SELECT_COLUMN, SelectHead } from '@/components/ui/selection/select-boxes';
import { selectionKeys } from '@/components/ui/selection/selection-keys';
import { useLatest } from '@/components/ui/selection/use-selection';
import { SortHeader } from '@/components/ui/sort-header';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { columnClasses, columnLabels } from './instance-columns';
import type { SortColumn, TableState } from './instance-filter';
import { InstanceTableRow } from './instance-table-row';
import { percentOf, resized, shareSum } from './table-layout';
import { useDriftCheck } from './use-drift-check';

const ROW_PX = 44;
const NO_ROWS: readonly InstanceRow[] = [];

/** On narrow screens only two columns are left. */
const narrowWidths: { readonly [column in SortColumn]?: string } = {
  status: 'max-sm:!w-[46%]',
  name: 'max-sm:!w-[54%]',
};

/** The table of Instances. Of more than 200 rows only those in view are drawn; screen readers get the full count. */
export function InstanceTable({
  rows,
  gone,
  isMarked,
  state,
  onSort,
  selection,
}: {
  rows: readonly InstanceRow[];
  /** Keys of rows of deleted Instances that are still drawn. */
  gone: ReadonlySet<string>;
  /** True when the rows have their drift already; otherwise the drift of the rows in view is asked for. */
  isMarked: boolean;
  state: TableState;
  onSort: (sort: SortColumn, descending: boolean) => void;
  selection: RowSelection<InstanceRow>;
}) {
  const nowMs = useNow(5_000);
  const layout = usePreference((store) => store.layout);
  const setLayout = usePreference((store) => store.setLayout);
  const columns = useMemo(() => layout.columns.filter(({ isShown }) => isShown).map(({ column }) => column), [layout]);
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  const inView = rows.slice(first, last);
  const shown = useLatest(rows);
  const { marks } = useDriftCheck(isMarked ? NO_ROWS : inView);
  return (
    <table
      className="table table-fixed"
      data-long=""
      aria-rowcount={rows.length + 1}
      onKeyDown={selectionKeys(selection, rows)}
    >
      <caption className="sr-only">Instances</caption>
      <colgroup>
        <col className={SELECT_COLUMN} />
        {columns.map((column) => (
          <col
            key={column}
            className={classNames(narrowWidths[column], columnClasses[column])}
            style={{ width: `${percentOf(layout, column)}%` }}
          />
        ))}
      </colgroup>
      <thead>
        <tr>
          <SelectHead selection={selection} shown={rows} />
          {columns.map((column, at) => (
            <SortHeader
              key={column}
              column={column}
              label={columnLabels[column]}
              className={columnClasses[column]}
              sort={state.sort}
              descending={state.descending}
              onSort={onSort}
              resizer={
                at < columns.length - 1 && (
                  <ColumnResizer
                    label={columnLabels[column]}
                    at={percentOf(layout, column)}
                    onResize={(by) => setLayout(resized(layout, column, (by / 100) * shareSum(layout)))}
                  />
                )
              }
            />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={columns.length + 1} />
        {inView.map((row, index) => (
          <InstanceTableRow
            key={row.key}
            row={row}
            columns={columns}
            isDeleted={gone.has(row.key)}
            drifted={marks[row.key] ?? 0}
            nowMs={nowMs}
            index={first + index}
            selection={selection}
            shown={shown}
          />
        ))}
        <RowSpacer heightPx={after} columns={columns.length + 1} />
      </tbody>
    </table>
  );
}
