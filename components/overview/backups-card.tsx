'use client';

import { useMemo } from 'react';
import { useScheduleRows } from '@/components/schedules/use-schedule-rows';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { formatTime } from '@/lib/clock/clock';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backupRows } from '@/lib/kudo/view/backup-rows';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

/** More than this are on the pages of the Instances; those in trouble come first. */
const MOST = 8;

/** How old the last backup of each Instance is, and whether that meets its goal or its schedule. Nothing without a plan for backups. */
export function BackupsCard({ rows }: { rows: readonly InstanceRow[] }) {
  const { rows: schedules } = useScheduleRows();
  const { objects, status, total } = useTopicInScope(topics.planRunRows);
  const nowMs = useNow(60_000);
  const runs = status === 'ready' && total === undefined ? (objects as readonly PlanRun[]) : undefined;
  const backups = useMemo(() => backupRows(rows, { schedules, runs, nowMs }), [rows, schedules, runs, nowMs]);
  if (backups.length === 0) return null;
  return (
    <Card title="Backups" action={<span>{backups.length}</span>}>
      <ul className="divide-y divide-line">
        {backups.slice(0, MOST).map(({ row, status: look, word, lastMs, expected }) => (
          <li key={row.key} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
            <span className="min-w-0 flex-1 basis-32">
              <Link href={instancePath(row.namespace, row.name, 'backups')} className="link font-semibold">
                {row.name}
              </Link>{' '}
              <span className="text-ink-3">{row.namespace}</span>
              <span className="block text-ink-2 text-xs">{expected}</span>
            </span>
            <span className="ms-auto grid justify-items-end text-xs">
              <StatusText status={look} word={word} />
              {lastMs !== undefined && (
                <span className="text-ink-2">
                  <TimeAgo at={formatTime(lastMs)} />
                </span>
              )}
            </span>
          </li>
        ))}
        {backups.length > MOST && (
          <li className="px-4 py-2.5">
            <Link href="/schedules" className="link text-accent">
              and {backups.length - MOST} more
            </Link>
          </li>
        )}
      </ul>
    </Card>
  );
}
