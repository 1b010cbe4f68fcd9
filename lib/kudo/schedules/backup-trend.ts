import { nameOf } from '@/lib/kube/object';
import { backupsOf } from '@/lib/kudo/runs/backups';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { durationOf } from '@/lib/kudo/runs/run-words';

const MOST_SHOWN = 12;

/** A backup in the course of the last ones. */
export interface BackupPoint {
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Bytes; undefined when the Job did not say. */
  readonly size: number | undefined;
  /** Milliseconds of the run that made it; undefined when it has not said. */
  readonly tookMs: number | undefined;
}

/** The last twelve backups of an Instance, oldest first, with their sizes and how long their runs took. */
export function backupTrend(runs: readonly PlanRun[], nowMs: number): BackupPoint[] {
  const runByName = new Map(runs.map((run) => [nameOf(run), run]));
  return backupsOf(runs)
    .slice(0, MOST_SHOWN)
    .reverse()
    .map(({ name, createdAt, size, run }) => {
      const made = runByName.get(run);
      return { name, createdAt, size, tookMs: made === undefined ? undefined : durationOf(made, nowMs) };
    });
}

/** What makes the next backup. */
interface Scheduled {
  readonly plan: string;
  /** Wall milliseconds. */
  readonly nextMs: number | undefined;
}

/** The first slot of the schedules whose plan has made a backup, or is named so. Wall milliseconds. */
export function nextBackupMs(schedules: readonly Scheduled[], runs: readonly PlanRun[]): number | undefined {
  const plans = new Set(
    runs.flatMap(({ spec, status }) => (status?.outputs?.some(({ type }) => type === 'backup') ? [spec?.plan] : [])),
  );
  const slots = schedules.flatMap(({ plan, nextMs }) =>
    nextMs !== undefined && (plans.has(plan) || plan.startsWith('backup')) ? [nextMs] : [],
  );
  return slots.length === 0 ? undefined : Math.min(...slots);
}
