'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { classNames } from '@/components/ui/class-names';
import { StatusMark } from '@/components/ui/status';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { formatElapsed } from '@/lib/clock/duration';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { treeLines } from '@/lib/kudo/view/run-tree-lines';
import { SkipButton } from './skip-button';

const LINE_PX = 38;

/** Phases and steps with their state. Of a plan with very many steps only those in view are drawn. */
export function RunTree({ row }: { row: RunRow }) {
  const { row: instance } = useInstanceView();
  const lines = treeLines(row.run, instance?.instance);
  const { ref, first, last, before, after } = useVirtualRows<HTMLUListElement>(lines.length, LINE_PX);
  if (lines.length === 0) return <p className="px-4 py-3 text-ink-2">The steps are not recorded yet.</p>;
  return (
    <ul ref={ref} style={{ paddingTop: before, paddingBottom: after }}>
      {lines.slice(first, last).map((line) => (
        <li
          key={`${line.phase}/${line.step ?? ''}`}
          data-phase={line.phase}
          data-step={line.step}
          data-status={line.status}
          className={classNames(
            'grid grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-1 border-b px-4 py-2 last:border-b-0',
            line.step === undefined ? 'bg-sunken font-semibold text-ink-2 text-xs' : 'ps-9',
          )}
        >
          <StatusMark status={line.status} />
          <span className="min-w-0 truncate">{line.step ?? line.phase}</span>
          <span className="flex items-center gap-2 text-ink-2 text-xs">
            {line.attempts > 1 && <span>{line.attempts} attempts</span>}
            {line.seconds !== undefined && <span className="tabular-nums">{formatElapsed(line.seconds * 1_000)}</span>}
            {line.step !== undefined && line.canBeSkipped && (
              <SkipButton row={row} phase={line.phase} step={line.step} />
            )}
          </span>
          {line.message !== '' && (
            <p
              className={classNames(
                'col-span-2 col-start-2 text-xs',
                line.status === 'FATAL_ERROR' ? 'text-fail' : 'text-ink-2',
              )}
            >
              {line.message}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
