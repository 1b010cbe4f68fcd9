'use client';

import { ArrowUp } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { PlanSegments } from '@/components/plans/plan-segments';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SelectCell } from '@/components/ui/selection/select-boxes';
import { useIsSelected } from '@/components/ui/selection/use-selection';
import { StatusText } from '@/components/ui/status';
import { useExactTime } from '@/components/ui/use-time-zone';
import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { driftedState } from '@/lib/kudo/view/instance-state';
import { columnClasses } from './instance-columns';
import type { SortColumn } from './instance-filter';

interface InstanceTableRowProps {
  row: InstanceRow;
  columns: readonly SortColumn[];
  /** How many of its objects were changed outside of plans. */
  drifted: number;
  /** True when it was deleted while the table is held. */
  isDeleted: boolean;
  nowMs: number;
  index: number;
  selection: RowSelection<InstanceRow>;
  /** The rows in their order. */
  shown: () => readonly InstanceRow[];
}

/** One Instance in the table. Its status cell has the state and the reason, at any width. */
export const InstanceTableRow = memo(function InstanceTableRow(props: InstanceTableRowProps) {
  const { row, selection, shown } = props;
  const isSelected = useIsSelected(selection, row.uid);
  return (
    <tr
      aria-rowindex={props.index + 2}
      data-instance={row.key}
      data-row={row.uid}
      data-selected={isSelected ? '' : undefined}
    >
      <SelectCell selection={selection} isSelected={isSelected} row={row} name={row.name} shown={shown} />
      {props.columns.map((column) => (
        <td key={column} className={classNames(cellClasses[column], columnClasses[column])}>
          {cells[column](props)}
        </td>
      ))}
    </tr>
  );
});

const cellClasses: { readonly [column in SortColumn]: string | undefined } = {
  status: undefined,
  name: undefined,
  namespace: 'truncate text-ink-2',
  operator: undefined,
  plan: undefined,
  age: 'whitespace-nowrap text-ink-2',
};

const cells: { readonly [column in SortColumn]: (props: InstanceTableRowProps) => ReactNode } = {
  status: ({ row, drifted, isDeleted }) => <StateCell row={row} drifted={drifted} isDeleted={isDeleted} />,
  name: ({ row }) => <NameCell row={row} />,
  namespace: ({ row }) => row.namespace,
  operator: ({ row }) => <OperatorCell row={row} />,
  plan: ({ row }) => <PlanCell row={row} />,
  age: ({ row, nowMs }) => <AgeCell at={row.createdAt} nowMs={nowMs} />,
};

function StateCell({ row, drifted, isDeleted }: Pick<InstanceTableRowProps, 'row' | 'drifted' | 'isDeleted'>) {
  const state = driftedState(row.state, drifted);
  return (
    <>
      {isDeleted ? (
        <StatusText status="deleting" word="Deleted" />
      ) : (
        <StatusText status={state.key} word={state.word} />
      )}
      {state.reason !== '' && (
        <div className="ms-[23px] truncate text-ink-2 text-xs leading-[1.3]" title={state.detail}>
          {state.reason}
        </div>
      )}
    </>
  );
}

function NameCell({ row }: { row: InstanceRow }) {
  return (
    <>
      <Link href={instancePath(row.namespace, row.name)} className="link font-semibold" prefetch={false}>
        {row.name}
      </Link>
      <div className="truncate text-ink-2 text-xs md:hidden">
        {row.namespace}
        <span className="sm:hidden">
          {' '}
          · {row.operator} {row.version}
        </span>
      </div>
    </>
  );
}

function OperatorCell({ row }: { row: InstanceRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {row.operator} <code className="text-ink-2">{row.version}</code>
      {row.newer !== undefined && (
        <span className="inline-flex text-accent" title={`${row.newer.version} is installed`}>
          <ArrowUp size={13} aria-hidden="true" />
          <span className="sr-only">{row.newer.version} available</span>
        </span>
      )}
    </span>
  );
}

/** The active plan; a failed one is shown until another one runs. */
function PlanCell({ row }: { row: InstanceRow }) {
  const plan = row.active ?? (row.state.key === 'FATAL_ERROR' ? row.last : undefined);
  if (plan === undefined) return <span className="text-ink-3">—</span>;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
      <code>{plan.name}</code>
      <PlanSegments plan={plan} />
    </span>
  );
}

function AgeCell({ at, nowMs }: { at: string | undefined; nowMs: number }) {
  const exact = useExactTime();
  const createdMs = parseTime(at);
  if (createdMs === undefined || at === undefined) return '—';
  return (
    <time dateTime={at} title={exact(at)}>
      {formatAge(nowMs - createdMs)}
    </time>
  );
}
