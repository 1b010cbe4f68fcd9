import { ArrowUp } from 'lucide-react';
import Link from 'next/link';
import { memo } from 'react';
import { PlanSegments } from '@/components/plans/plan-segments';
import { formatAge } from '@/components/ui/duration';
import { Status } from '@/components/ui/status';
import { exactTime } from '@/components/ui/time-ago';
import { parseTime } from '@/lib/clock/clock';
import { instancePath } from './instance-path';
import type { InstanceRow } from './instance-row';
import { driftedState } from './instance-state';

/** One Instance in the table. Its status cell carries the state and the reason, at any width. */
export const InstanceTableRow = memo(function InstanceTableRow({
  row,
  isGone,
  drifted,
  nowMs,
  index,
}: {
  row: InstanceRow;
  /** How many of its objects were changed outside. */
  drifted: number;
  /** It was deleted while the table holds still. */
  isGone: boolean;
  nowMs: number;
  index: number;
}) {
  const state = driftedState(row.state, drifted);
  const createdMs = parseTime(row.createdAt);
  // A plan that failed stays in sight until another one runs.
  const plan = row.active ?? (row.state.key === 'FATAL_ERROR' ? row.last : undefined);
  return (
    <tr aria-rowindex={index + 2} data-instance={row.key}>
      <td>
        {isGone ? <Status status="deleting" word="Gone" /> : <Status status={state.key} word={state.word} />}
        {state.reason !== '' && (
          <div className="ms-[23px] truncate text-ink-2 text-xs leading-[1.3]" title={state.reason}>
            {state.reason}
          </div>
        )}
      </td>
      <td>
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
      </td>
      <td className="truncate text-ink-2 max-md:hidden">{row.namespace}</td>
      <td className="max-sm:hidden">
        <span className="inline-flex flex-wrap items-center gap-x-1.5">
          {row.operator} <code className="text-ink-2">{row.version}</code>
          {row.newer !== undefined && (
            <span className="inline-flex text-accent" title={`${row.newer.version} is installed beside it`}>
              <ArrowUp size={13} aria-hidden="true" />
              <span className="sr-only">{row.newer.version} available</span>
            </span>
          )}
        </span>
      </td>
      <td className="max-sm:hidden">
        {plan === undefined ? (
          <span className="text-ink-3">—</span>
        ) : (
          <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
            <code>{plan.name}</code>
            <PlanSegments plan={plan} />
          </span>
        )}
      </td>
      <td className="num whitespace-nowrap text-ink-2 max-sm:hidden">
        {createdMs === undefined || row.createdAt === undefined ? (
          '—'
        ) : (
          <time dateTime={row.createdAt} title={exactTime(row.createdAt)}>
            {formatAge(nowMs - createdMs)}
          </time>
        )}
      </td>
    </tr>
  );
});
