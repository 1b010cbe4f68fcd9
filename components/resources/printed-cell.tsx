import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import type { GroupVersionResource } from '@/lib/kube/object';
import { cellText, type TableColumn } from '@/lib/kube/table';
import { statusOfCell } from './cell-status';
import { objectHref } from './resource-path';
import { isAge, type ListRow } from './table-rows';

/** One cell: the name as a link, ages that stay current, states with their shape, the rest as the API prints it. */
export function PrintedCell({
  type,
  row,
  column,
  index,
  isFirst,
  nowMs,
}: {
  type: GroupVersionResource;
  row: ListRow;
  column: TableColumn;
  index: number;
  /** The first column leads to the object, whatever it says. */
  isFirst: boolean;
  /** Server time, which ages are relative to. */
  nowMs: number;
}) {
  if (isFirst || column.name === 'Name') {
    return (
      <Link className="link font-semibold" href={objectHref(type, row.namespace, row.name)} prefetch={false}>
        {column.name === 'Name' ? row.name : cellText(row.cells[index]) || row.name}
      </Link>
    );
  }
  if (isAge(column)) return <Age at={row.createdAt} nowMs={nowMs} />;
  const text = cellText(row.cells[index]);
  const status = row.isDeleting && column.name === 'Status' ? 'deleting' : statusOfCell(column.name, text);
  if (status !== undefined) return <StatusText status={status} word={text} />;
  if (text === '' || text === '<none>') return <span className="text-ink-3">{row.cells.length === 0 ? '…' : '—'}</span>;
  return (
    <span className="line-clamp-2 text-ink-2" title={text.length > 40 ? text : undefined}>
      {text}
    </span>
  );
}
