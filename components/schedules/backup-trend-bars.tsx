'use client';

import { useExactTime } from '@/components/ui/use-time-zone';
import { formatElapsed } from '@/lib/clock/duration';
import type { BackupPoint } from '@/lib/kudo/schedules/backup-trend';
import { bytesText } from '@/lib/kudo/view/bytes-text';

const HIGHEST_PX = 40;
const LOWEST_PX = 3;

/** Sizes and durations of the last backups as bars, oldest first. Each bar says its value. */
export function BackupTrendBars({ points }: { points: readonly BackupPoint[] }) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Bars title="Size" points={points} amountOf={({ size }) => size} wordsOf={bytesText} />
      <Bars title="Duration" points={points} amountOf={({ tookMs }) => tookMs} wordsOf={formatElapsed} />
    </div>
  );
}

interface BarsProps {
  title: string;
  points: readonly BackupPoint[];
  amountOf: (point: BackupPoint) => number | undefined;
  wordsOf: (value: number) => string;
}

function Bars({ title, points, amountOf, wordsOf }: BarsProps) {
  const exact = useExactTime();
  const values = points.map((point) => amountOf(point) ?? 0);
  const highest = Math.max(...values, 1);
  const last = points.at(-1);
  const lastValue = last === undefined ? undefined : amountOf(last);
  return (
    <div className="min-w-0">
      <p className="text-ink-3">
        {title}
        {lastValue !== undefined && <span className="text-ink-2"> · {wordsOf(lastValue)}</span>}
      </p>
      <ul className="mt-1 flex items-end gap-[3px]" aria-label={`${title} of the last ${points.length} backups`}>
        {points.map((point, at) => {
          const value = amountOf(point);
          const text = `${point.name}, ${exact(point.createdAt)}: ${value === undefined ? 'not known' : wordsOf(value)}`;
          return (
            <li key={point.name} title={text} className="max-w-4 flex-1" style={{ height: HIGHEST_PX }}>
              <span className="sr-only">{text}</span>
              <span aria-hidden="true" className="flex h-full items-end">
                <span
                  className="w-full rounded-sm bg-run"
                  style={{ height: Math.max(LOWEST_PX, ((values[at] ?? 0) / highest) * HIGHEST_PX) }}
                />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
