'use client';

import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { ZonedMoment } from '@/components/ui/zoned-moment';
import { formatTime, parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { backupsOf } from '@/lib/kudo/runs/backups';
import {
  BACKUP_GOAL_ANNOTATION,
  type BackupHealth,
  backupGoalOf,
  backupHealth,
  type GoodBackup,
  goalWords,
} from '@/lib/kudo/schedules/backup-health';
import { backupTrend, nextBackupMs } from '@/lib/kudo/schedules/backup-trend';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { BackupTrendBars } from './backup-trend-bars';
import { useInstanceSchedules, useMinute } from './use-schedule-rows';

/** The goal of an Instance's backups and whether it is met, the last good one, the next one, and the course of the last ones. */
export function BackupHealthCard() {
  const { row, deleted } = useInstanceView();
  return row === undefined || deleted ? null : <HealthOf row={row} />;
}

function HealthOf({ row }: { row: InstanceRow }) {
  const { namespace, name, instance, operatorVersionObject } = row;
  const runRows = useInstanceRuns(namespace, name, instance.metadata.uid);
  const schedules = useInstanceSchedules(namespace, name);
  const minuteMs = useMinute();
  const runs = useMemo(() => runRows.map(({ run }) => run), [runRows]);
  const goalMs = backupGoalOf(instance, operatorVersionObject);
  const { creationTimestamp } = instance.metadata;
  const health =
    goalMs === undefined
      ? undefined
      : backupHealth({ runs, goalMs, instanceCreatedAt: creationTimestamp, nowMs: minuteMs });
  const newest = backupsOf(runs)[0];
  const lastGood = health?.lastGood ?? (health === undefined ? asGood(newest) : undefined);
  const trend = backupTrend(runs, minuteMs);
  return (
    <Card title="Backup health" action={health !== undefined && <Verdict health={health} />} className="mb-4">
      <div className="grid gap-x-8 gap-y-4 p-4 md:grid-cols-2">
        <KeyValues
          entries={[
            ['Goal', goalMs === undefined ? <NoGoal key="goal" row={row} /> : goalText(goalMs)],
            ['Last good', <LastGood key="last" backup={lastGood} />],
            ['Next', <NextBackup key="next" ms={nextBackupMs(schedules, runs)} nowMs={minuteMs} />],
          ]}
        />
        {trend.length > 1 && <BackupTrendBars points={trend} />}
      </div>
      {health?.isMissed && <p className="border-t px-4 py-2.5 text-fail">{health.message}</p>}
    </Card>
  );
}

function LastGood({ backup }: { backup: Pick<GoodBackup, 'name' | 'createdMs'> | undefined }) {
  if (backup === undefined) return <span className="text-ink-2">None</span>;
  return (
    <>
      <code className="break-all">{backup.name}</code>, <TimeAgo at={formatTime(backup.createdMs)} />
    </>
  );
}

function NextBackup({ ms, nowMs }: { ms: number | undefined; nowMs: number }) {
  const timeZone = useTimeZone();
  if (ms === undefined) return <span className="text-ink-2">Not scheduled</span>;
  return <ZonedMoment ms={ms} nowMs={nowMs} timeZone={timeZone} />;
}

/** Without a goal nobody says what is good: the newest one counts. */
function asGood(backup: ReturnType<typeof backupsOf>[number] | undefined) {
  return backup === undefined ? undefined : { name: backup.name, createdMs: parseTime(backup.createdAt) ?? 0 };
}

function goalText(goalMs: number): string {
  return `A good backup, not older than ${formatAge(goalMs)}`;
}

const VERDICTS = { 'Goal missed': 'failing', 'Goal met': 'COMPLETE', 'Goal not due yet': 'PENDING' } as const;

function Verdict({ health }: { health: BackupHealth }) {
  const word = goalWords(health);
  return <StatusText status={VERDICTS[word]} word={word} />;
}

function NoGoal({ row: { namespace, name } }: { row: InstanceRow }) {
  return (
    <span className="text-ink-2">
      None. To set one:{' '}
      <code className="break-all">
        kubectl annotate -n {namespace} instances.kudo.dev {name} {BACKUP_GOAL_ANNOTATION}=24h
      </code>
    </span>
  );
}
