'use client';

import { useRowPx } from '@/components/ui/display-settings';
import { RowSpacer } from '@/components/ui/row-spacer';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import type { OperatorAction } from '@/lib/kudo/view/action-rights';
import type { RoleRow } from '@/lib/kudo/view/role-rows';

const ROW_PX = 62;
const COLUMNS = 4;

/** Who may do what, where, and by which binding. Of more than 200 rows only those in view are drawn. */
export function RoleTable({ rows }: { rows: readonly RoleRow[] }) {
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Who may do what with operators</caption>
      <colgroup>
        <col className="w-[42%] sm:w-[24%]" />
        <col className="max-sm:hidden sm:w-[14%]" />
        <col className="w-[58%] sm:w-auto" />
        <col className="max-lg:hidden lg:w-[28%]" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col" className="max-sm:hidden">
            Namespace
          </th>
          <th scope="col">May</th>
          <th scope="col" className="max-lg:hidden">
            By
          </th>
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={COLUMNS} />
        {rows.slice(first, last).map((row, index) => (
          <tr key={row.key} aria-rowindex={first + index + 2} data-subject={row.name}>
            <td>
              <span className="block truncate font-medium" title={row.name}>
                {row.name}
              </span>
              <span className="block truncate text-ink-3 text-xs">
                {row.kind}
                <span className="sm:hidden">, {placeOf(row)}</span>
              </span>
            </td>
            <td className="max-sm:hidden">
              <span className="block truncate">{placeOf(row)}</span>
            </td>
            <td title={row.actions.join(', ')}>
              <span className="line-clamp-2">{actionWords(row.actions)}</span>
            </td>
            <td className="max-lg:hidden" title={row.by.join('\n')}>
              <span className="line-clamp-2 text-ink-2 text-xs">{row.by.join(', ')}</span>
            </td>
          </tr>
        ))}
        <RowSpacer heightPx={after} columns={COLUMNS} />
      </tbody>
    </table>
  );
}

function placeOf({ namespace }: RoleRow): string {
  return namespace ?? 'all';
}

const MOST_WORDS: readonly OperatorAction[] = ['install', 'uninstall', 'start destructive plans', 'approve'];

/** Everything, in one word, or the actions. */
function actionWords(actions: readonly OperatorAction[]): string {
  const isEverything = MOST_WORDS.every((action) => actions.includes(action)) && actions.includes('start plans');
  return isEverything ? 'everything with operators' : actions.join(', ');
}
