'use client';

import { memo, useMemo } from 'react';
import type { ExtraColumn } from '@/components/pods/usage-columns';
import { classNames } from '@/components/ui/class-names';
import { useRowPx } from '@/components/ui/display-settings';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SELECT_COLUMN, SelectCell, SelectHead } from '@/components/ui/selection/select-boxes';
import { selectionKeys } from '@/components/ui/selection/selection-keys';
import { useIsSelected, useLatest } from '@/components/ui/selection/use-selection';
import { SortHeader } from '@/components/ui/sort-header';
import { Tag } from '@/components/ui/tag';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows, WHOLE_UP_TO } from '@/components/ui/use-virtual-rows';
import type { GroupVersionResource } from '@/lib/kube/object';
import type { TableColumn } from '@/lib/kube/table';
import { formatTopic } from '@/lib/live/topic';
import { narrowColumns } from './narrow-columns';
import { PrintedCell } from './printed-cell';
import { isAge, type ListRow, type SortOrder } from './table-rows';

const ROW_PX = 40;
/** A column as it is drawn, with its place among the cells. -1 is the namespace, which no cell holds. */
export interface ShownColumn {
  readonly column: TableColumn;
  readonly index: number;
}

/** The rows of a list under the kind's own columns; long lists draw only what is in the window. */
export function PrintedTable({
  type,
  label,
  columns,
  extras,
  rows,
  gone,
  order,
  onSort,
  chosen,
  onLook,
  selection,
}: {
  type: GroupVersionResource;
  label: string;
  columns: readonly ShownColumn[];
  /** After the kind's own columns; narrow windows leave them out. */
  extras: readonly ExtraColumn[];
  rows: readonly ListRow[];
  /** Keys of rows that are drawn although their objects were deleted. */
  gone: ReadonlySet<string>;
  order: SortOrder;
  onSort: (column: string, descending: boolean) => void;
  /** The object that is open in the panel, as a topic. */
  chosen: string | undefined;
  /** Opens an object in the panel. */
  onLook: (key: string) => void;
  selection: RowSelection<ListRow>;
}) {
  const nowMs = useNow(5_000);
  const kept = useMemo(() => narrowColumns(columns.map(({ column }) => column)), [columns]);
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  const shown = useLatest(rows);
  return (
    <table
      // Columns of a long list must not change their width with the rows that happen to be in the window.
      className={classNames('table [overflow-wrap:break-word]', rows.length > WHOLE_UP_TO && 'table-fixed')}
      data-long={rows.length > WHOLE_UP_TO ? '' : undefined}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      onKeyDown={selectionKeys(selection, rows)}
    >
      {rows.length > WHOLE_UP_TO && (
        <colgroup>
          <col className={SELECT_COLUMN} />
          {columns.map(({ column }, at) => (
            <col key={column.name} className={columnWidth(column, at, kept)} />
          ))}
          {extras.map(({ name }) => (
            <col key={name} className="w-36 max-lg:hidden" />
          ))}
          <col className="w-12" />
        </colgroup>
      )}
      <thead>
        <tr aria-rowindex={1}>
          <SelectHead selection={selection} shown={rows} />
          {columns.map(({ column }, at) => (
            <SortHeader
              key={column.name}
              column={column.name}
              label={column.name}
              sort={order.column}
              descending={order.descending}
              onSort={onSort}
              className={cellClass(column, at, kept)}
            />
          ))}
          {extras.map(({ name }) => (
            <th key={name} scope="col" className="num max-lg:hidden">
              {name}
            </th>
          ))}
          <th scope="col" className="w-12">
            <span className="sr-only">Panel</span>
          </th>
        </tr>
      </thead>
      <tbody ref={ref}>
        {before > 0 && <Spacer height={before} />}
        {rows.slice(first, last).map((row, at) => (
          <PrintedRow
            key={row.key}
            type={type}
            columns={columns}
            extras={extras}
            kept={kept}
            row={row}
            isGone={gone.has(row.key)}
            nowMs={nowMs}
            rowIndex={first + at + 2}
            isChosen={chosen !== undefined && chosen === keyOfRow(type, row)}
            onLook={onLook}
            selection={selection}
            shown={shown}
          />
        ))}
        {after > 0 && <Spacer height={after} />}
      </tbody>
    </table>
  );
}

interface PrintedRowProps {
  readonly type: GroupVersionResource;
  readonly columns: readonly ShownColumn[];
  readonly extras: readonly ExtraColumn[];
  readonly kept: ReadonlySet<string>;
  readonly row: ListRow;
  readonly isGone: boolean;
  readonly nowMs: number;
  readonly rowIndex: number;
  readonly isChosen: boolean;
  readonly onLook: (key: string) => void;
  readonly selection: RowSelection<ListRow>;
  readonly shown: () => readonly ListRow[];
}

/** An object of the list as a topic, which names it in the address. */
function keyOfRow(type: GroupVersionResource, { namespace, name }: ListRow): string {
  return formatTopic({ ...type, namespace: namespace || undefined, name });
}

/** One row. While a list is scrolled, only the rows that come into the window are drawn. */
const PrintedRow = memo(function PrintedRow(props: PrintedRowProps) {
  const { type, columns, extras, kept, row, isGone, nowMs, rowIndex, isChosen, onLook, selection, shown } = props;
  // Narrow windows have no room for that column: the namespace is above the name.
  const showsNamespace = columns.some(({ index }) => index < 0);
  const isSelected = useIsSelected(selection, row.uid);
  return (
    <tr
      aria-rowindex={rowIndex}
      data-key={row.key}
      data-row={row.uid}
      data-selected={isSelected ? '' : undefined}
      className={isChosen ? 'bg-accent-soft' : undefined}
    >
      <SelectCell selection={selection} isSelected={isSelected} row={row} name={row.name} shown={shown} />
      {columns.map(({ column, index }, place) => (
        <td key={column.name} className={cellClass(column, place, kept)}>
          {place === 0 && showsNamespace && <span className="block text-ink-3 text-xs sm:hidden">{row.namespace}</span>}
          {index < 0 ? (
            <span className="text-ink-2">{row.namespace}</span>
          ) : (
            <PrintedCell type={type} row={row} column={column} index={index} isFirst={place === 0} nowMs={nowMs} />
          )}
          {place === 0 && <ManagerTags managers={row.managers} />}
          {place === 0 && isGone && <span className="ms-2 text-fail text-xs">deleted</span>}
        </td>
      ))}
      {extras.map(({ name, cell }) => (
        <td key={name} className="num max-lg:hidden">
          {cell(`${row.namespace}/${row.name}`)}
        </td>
      ))}
      <td className="num">
        <LookButton name={row.name} topic={keyOfRow(type, row)} isChosen={isChosen} onLook={onLook} />
      </td>
    </tr>
  );
});

/** Opens an object in the panel. Not a `Button`: of this one, a long list draws many while it is scrolled, so it has the fewest elements. */
function LookButton({
  name,
  topic,
  isChosen,
  onLook,
}: {
  name: string;
  topic: string;
  isChosen: boolean;
  onLook: (topic: string) => void;
}) {
  return (
    <button
      type="button"
      className="btn"
      data-variant="quiet"
      data-size="small"
      data-shape="square"
      data-object={topic}
      aria-label={`Look at ${name}`}
      aria-pressed={isChosen}
      onClick={() => onLook(topic)}
    >
      <svg
        width="15"
        height="15"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        <path d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM15 3v18" />
      </svg>
    </button>
  );
}

function ManagerTags({ managers }: { managers: readonly string[] }) {
  return managers.map((manager) => (
    <Tag key={manager} className="ms-2 max-w-44">
      <span className="truncate" title={`managed by ${manager}`}>
        <span className="sr-only">managed by </span>
        {manager}
      </span>
    </Tag>
  ));
}

function Spacer({ height }: { height: number }) {
  return (
    <tr>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/** A name or a message has the most room, ages and numbers the least; the others share the rest. */
function columnWidth(column: TableColumn, at: number, kept: ReadonlySet<string>): string {
  return classNames(roomOf(column), hiddenWhere(column, at, kept));
}

function roomOf(column: TableColumn): string | false {
  if (column.name === 'Name' || column.name === 'Message') return 'sm:w-[34%]';
  const isNarrow =
    column.type === 'integer' || column.type === 'number' || isAge(column) || column.name === 'Last Seen';
  return isNarrow && 'w-24';
}

/** Narrow windows keep the first column and what matters most. */
function hiddenWhere(column: TableColumn, at: number, kept: ReadonlySet<string>): string | false {
  const isKept = at === 0 || kept.has(column.name);
  return !isKept && (at > 3 ? 'max-md:hidden' : 'max-sm:hidden');
}

/** Numbers and ages are aligned to the right. */
function cellClass(column: TableColumn, at: number, kept: ReadonlySet<string>): string {
  const isNumber = column.type === 'integer' || column.type === 'number' || isAge(column);
  return classNames(
    isNumber && 'num',
    at === 0 && 'min-w-20 max-sm:w-1/2',
    (at === 0 || column.name === 'Message') && '[overflow-wrap:anywhere]',
    hiddenWhere(column, at, kept),
  );
}
