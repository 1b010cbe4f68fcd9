'use client';

import { EmptyState } from '@/components/ui/empty-state';
import { StatusMark } from '@/components/ui/status';
import { toneSolid } from '@/components/ui/tones';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { parseTime } from '@/lib/clock/clock';
import { formatElapsed } from '@/lib/clock/duration';
import { beganMs } from '@/lib/kudo/runs/run-words';
import { spanText } from '@/lib/kudo/view/run-facts';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { type TimelineBar, timelineOf } from '@/lib/kudo/view/run-timeline';
import type { TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { statusWords } from '@/lib/kudo/view/status-words';

const ROW_PX = 32;
/** A step that took no measurable time is still seen. */
const LEAST_PERCENT = 0.6;

/** When each step of a run ran, as bars over its time. Live while it runs. */
export function TimelineView({ row, lines }: { row: RunRow; lines: readonly TreeLine[] }) {
  const nowMs = useNow(row.isOver ? 60_000 : 1_000);
  const end = (row.isOver ? parseTime(row.finishedAt) : nowMs) ?? nowMs;
  const { bars, totalMs } = timelineOf(lines, beganMs(row.run), end);
  const { ref, first, last, before, after } = useVirtualRows<HTMLUListElement>(bars.length, ROW_PX);
  if (bars.length === 0) return <EmptyState title="No step is recorded yet" />;
  return (
    <div className="py-2">
      <p aria-hidden="true" className="flex justify-between px-4 pb-1 text-ink-3 text-xs sm:ps-[calc(35%+24px)]">
        <span>0 s</span>
        <span>{formatElapsed(totalMs)}</span>
      </p>
      <ul ref={ref} aria-label="Steps over time" style={{ paddingTop: before, paddingBottom: after }}>
        {bars.slice(first, last).map((bar) => (
          <Bar key={JSON.stringify([bar.line.phase, bar.line.step])} {...bar} />
        ))}
      </ul>
    </div>
  );
}

function Bar({ line, bar, afterMs }: TimelineBar) {
  const took = spanText(line.seconds);
  const when = afterMs === undefined ? '' : `began after ${formatElapsed(afterMs)}`;
  const text = [took === '' ? '' : `took ${took}`, when].filter((part) => part !== '').join(', ');
  const width = bar === undefined ? 0 : Math.max(LEAST_PERCENT, 100 * (bar.to - bar.from));
  const left = bar === undefined ? 0 : Math.min(100 * bar.from, 100 - width);
  return (
    <li
      data-step={line.step}
      title={`${line.phase} / ${line.step}${text === '' ? '' : `: ${text}`}`}
      className="grid h-8 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-4 px-4 hover:bg-sunken sm:grid-cols-[35%_minmax(0,1fr)]"
    >
      <span className="flex min-w-0 items-center gap-2">
        <StatusMark status={line.status} />
        <span className="min-w-0 truncate">
          <span className="text-ink-3">{line.phase} /</span> {line.step}
        </span>
        <span className="sr-only">{text}</span>
        <span aria-hidden="true" className="ms-auto shrink-0 text-ink-2 text-xs tabular-nums">
          {took}
        </span>
      </span>
      <span aria-hidden="true" className="relative h-2.5 overflow-hidden rounded-sm bg-sunken">
        {bar !== undefined && (
          <span
            className={`absolute inset-y-0 rounded-sm ${toneSolid[statusWords[line.status].tone]}`}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        )}
      </span>
    </li>
  );
}
