import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/** On an Instance, else on its OperatorVersion: how old its last good backup may be (`90m`, `24h`, `7d`). */
export const BACKUP_GOAL_ANNOTATION = 'bravo.kudo.dev/backup-goal';

const UNIT_MS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The goal in milliseconds; undefined without one, and for a text that is none. */
export function backupGoalOf(instance: Instance, operatorVersion: OperatorVersion | undefined): number | undefined {
  const own = instance.metadata.annotations?.[BACKUP_GOAL_ANNOTATION];
  const text = own ?? operatorVersion?.metadata.annotations?.[BACKUP_GOAL_ANNOTATION] ?? '';
  const [, number = '', unit = ''] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}

export interface BackupHealthInput {
  /** Of one Instance. */
  readonly runs: readonly PlanRun[];
  /** Milliseconds. */
  readonly goalMs: number;
  /** RFC 3339: an Instance that is younger than its goal has missed nothing. */
  readonly instanceCreatedAt: string | null | undefined;
  readonly nowMs: number;
}

export interface BackupHealth {
  /** Undefined when there is no good backup. */
  readonly lastGood: GoodBackup | undefined;
  readonly isMissed: boolean;
  /** Wall milliseconds: when the goal is missed, or was, without another backup. */
  readonly missedAtMs: number;
  /** One sentence. */
  readonly message: string;
}

export interface GoodBackup {
  readonly name: string;
  /** Wall milliseconds. */
  readonly createdMs: number;
  /** The name of its PlanRun. */
  readonly run: string;
}

/**
 * Whether the goal is met: the newest output `backup` of a run that is COMPLETE, which no later run deleted or found to be
 * unusable (`verified: false`).
 */
export function backupHealth({ runs, goalMs, instanceCreatedAt, nowMs }: BackupHealthInput): BackupHealth {
  const lastGood = lastGoodBackup(runs);
  const fromMs = lastGood?.createdMs ?? parseTime(instanceCreatedAt) ?? 0;
  const missedAtMs = fromMs + goalMs;
  const isMissed = nowMs > missedAtMs;
  const goal = `the goal is one not older than ${formatAge(goalMs)}`;
  const message =
    lastGood === undefined
      ? `There is no good backup; ${goal}.`
      : `The last good backup, ${lastGood.name}, is ${formatAge(nowMs - lastGood.createdMs)} old; ${goal}.`;
  return { lastGood, isMissed, missedAtMs, message };
}

/** The verdict in two or three words. */
export function goalWords({ isMissed, lastGood }: BackupHealth): 'Goal missed' | 'Goal met' | 'Goal not due yet' {
  if (isMissed) return 'Goal missed';
  return lastGood === undefined ? 'Goal not due yet' : 'Goal met';
}

function lastGoodBackup(runs: readonly PlanRun[]): GoodBackup | undefined {
  const oldestFirst = runs.map((run) => ({ run, endedMs: endedMs(run) })).sort((a, b) => a.endedMs - b.endedMs);
  const good = new Map<string, GoodBackup>();
  for (const { run, endedMs } of oldestFirst) {
    for (const output of run.status?.outputs ?? []) {
      const { type, name = '', createdAt, verified } = output;
      if (type === 'backup-deleted' || (type === 'backup' && verified === false)) good.delete(name);
      else if (type === 'backup' && run.status?.status === 'COMPLETE') {
        // A run that reads a backup back does not make it younger.
        const known = good.get(name);
        const createdMs = parseTime(createdAt) ?? known?.createdMs ?? endedMs;
        good.set(name, { name, createdMs, run: known?.run ?? run.metadata.name ?? '' });
      }
    }
  }
  return [...good.values()].sort((a, b) => b.createdMs - a.createdMs)[0];
}

/** When it ended, else when it began. */
function endedMs({ status, metadata }: PlanRun): number {
  return parseTime(status?.finishedAt ?? status?.startedAt ?? metadata.creationTimestamp) ?? 0;
}
