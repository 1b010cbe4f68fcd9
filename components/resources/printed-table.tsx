'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { GroupVersionResource } from '@/lib/kube/object';
import type { TableColumn } from '@/lib/kube/table';
import { PrintedCell } from './printed-cell';
import { isAge, type ListRow, NAMESPACE_COLUMN, type SortOrder } from './table-rows';

const ROW_PX = 40;
/** Shorter lists are drawn whole: the browser's own search finds everything then. */
const VIRTUAL_FROM = 200;

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
  rows,
  order,
  onSort,
}: {
  type: GroupVersionResource;
  label: string;
  columns: readonly ShownColumn[];
  rows: readonly ListRow[];
  order: SortOrder;
  onSort: (column: string) => void;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const isVirtual = rows.length > VIRTUAL_FROM;
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    initialRect: { width: 1200, height: 1200 },
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const shown = isVirtual ? rows.slice(first?.index ?? 0, (last?.index ?? 0) + 1) : rows;
  const before = isVirtual ? (first?.index ?? 0) * ROW_PX : 0;
  const after = isVirtual ? (rows.length - 1 - (last?.index ?? 0)) * ROW_PX : 0;
  return (
    <table className="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ column }, at) => (
            <HeadCell key={column.name} column={column} at={at} order={order} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {before > 0 && <Spacer height={before} />}
        {shown.map((row, at) => (
          <tr key={row.key} aria-rowindex={(first?.index ?? 0) + at + 2} data-key={row.key}>
            {columns.map(({ column, index }, place) => (
              <td key={column.name} className={cellClass(column, place)}>
                {index < 0 ? (
                  <span className="text-ink-2">{row.namespace}</span>
                ) : (
                  <PrintedCell type={type} row={row} column={column} index={index} />
                )}
              </td>
            ))}
          </tr>
        ))}
        {after > 0 && <Spacer height={after} />}
      </tbody>
    </table>
  );
}

function HeadCell({
  column,
  at,
  order,
  onSort,
}: {
  column: TableColumn;
  at: number;
  order: SortOrder;
  onSort: (column: string) => void;
}) {
  const sorted = order.column === column.name;
  const Arrow = order.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={cellClass(column, at)}
      title={column.description || undefined}
    >
      <button
        type="button"
        className="inline-flex items-center gap-1 hover:text-ink"
        onClick={() => onSort(column.name)}
      >
        {column.name}
        {sorted && <Arrow size={12} aria-hidden="true" />}
      </button>
    </th>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/** Numbers and ages stand right. Narrow windows keep the name, the state and the age. */
function cellClass(column: TableColumn, at: number): string {
  const isNumber = column.type === 'integer' || column.type === 'number' || isAge(column);
  const isKept = at === 0 || ['Status', 'Phase', 'Ready', NAMESPACE_COLUMN].includes(column.name) || isAge(column);
  return classNames(isNumber && 'num', !isKept && (at > 3 ? 'max-md:hidden' : 'max-sm:hidden'));
}
