import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backupGoalOf, backupHealth, goalWords } from '@/lib/kudo/schedules/backup-health';
import type { InstanceRow } from './instance-row';
import type { ScheduleRow } from './schedule-row';
import type { StatusKey } from './status-words';

/** How the backups of one Instance are. */
export interface BackupRow {
  readonly row: InstanceRow;
  readonly status: StatusKey;
  /** In two or three words. */
  readonly word: string;
  /** Wall milliseconds of the last success; undefined without one. */
  readonly lastMs: number | undefined;
  /** What is expected: the goal, or the schedule. */
  readonly expected: string;
}

export interface BackupKnowledge {
  readonly schedules: readonly ScheduleRow[];
  /** All runs of these Instances; undefined while only a part of them is known. */
  readonly runs: readonly PlanRun[] | undefined;
  readonly nowMs: number;
}

const BACKUP_PLAN = 'backup';
/** A backup of a slot may take this long before it is late. */
const GRACE_MS = 3_600_000;

const ORDER: readonly StatusKey[] = ['failing', 'FATAL_ERROR', 'IN_PROGRESS', 'PENDING', 'NEVER_RUN', 'COMPLETE'];

/**
 * Each Instance that has a goal for its backups, or whose version has a plan `backup`: those in trouble first. With a goal, the goal decides; without, the
 * last slot of a schedule of that plan; without both, there is nothing to keep.
 */
export function backupRows(rows: readonly InstanceRow[], known: BackupKnowledge): BackupRow[] {
  return rows
    .filter(({ instance }) => instance.metadata.deletionTimestamp === undefined)
    .flatMap((row) => backupRow(row, known) ?? [])
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.row.key.localeCompare(b.row.key));
}

function backupRow(row: InstanceRow, known: BackupKnowledge): BackupRow | undefined {
  const goalMs = backupGoalOf(row.instance, row.operatorVersionObject);
  const hasPlan = row.operatorVersionObject?.spec?.plans?.[BACKUP_PLAN] !== undefined;
  if (goalMs === undefined && !hasPlan) return undefined;
  if (goalMs !== undefined && known.runs !== undefined) return byGoal(row, goalMs, { ...known, runs: known.runs });
  return bySchedule(row, known);
}

const GOAL_LOOKS = { 'Goal missed': 'failing', 'Goal met': 'COMPLETE', 'Goal not due yet': 'PENDING' } as const;

function byGoal(
  row: InstanceRow,
  goalMs: number,
  { runs, nowMs }: BackupKnowledge & { readonly runs: readonly PlanRun[] },
): BackupRow {
  const own = runs.filter(({ spec }) => spec?.instanceUid === row.instance.metadata.uid);
  const { creationTimestamp } = row.instance.metadata;
  const health = backupHealth({ runs: own, goalMs, instanceCreatedAt: creationTimestamp, nowMs });
  const word = goalWords(health);
  const lastMs = health.lastGood?.createdMs;
  return { row, status: GOAL_LOOKS[word], word, lastMs, expected: `Goal: every ${formatAge(goalMs)}` };
}

function bySchedule(row: InstanceRow, { schedules, nowMs }: BackupKnowledge): BackupRow {
  const plan = row.instance.status?.planStatus?.[BACKUP_PLAN];
  const endedMs = parseTime(plan?.lastUpdatedTimestamp);
  const lastMs = plan?.status === 'COMPLETE' ? endedMs : undefined;
  const own = schedules.filter(
    (each) => each.namespace === row.namespace && each.instance === row.name && each.plan === BACKUP_PLAN,
  );
  const active = own.find(({ state }) => state !== 'suspended');
  const expected =
    active === undefined
      ? own.length > 0
        ? 'Schedule is suspended'
        : 'No schedule and no goal'
      : `Schedule: ${active.words ?? active.expression}`;
  const [status, word] = verdictOf({ plan: plan?.status, lastMs, slotMs: parseTime(active?.lastSlot), nowMs, active });
  return { row, status, word, lastMs, expected };
}

function verdictOf({
  plan,
  lastMs,
  slotMs,
  nowMs,
  active,
}: {
  readonly plan: string | undefined;
  readonly lastMs: number | undefined;
  readonly slotMs: number | undefined;
  readonly nowMs: number;
  readonly active: ScheduleRow | undefined;
}): readonly [StatusKey, string] {
  if (plan === 'FATAL_ERROR' || plan === 'ERROR') return ['FATAL_ERROR', 'Last one failed'];
  if (plan === 'IN_PROGRESS' || plan === 'PENDING') return ['IN_PROGRESS', 'Running'];
  if (active === undefined) return lastMs === undefined ? ['NEVER_RUN', 'Never backed up'] : ['NEVER_RUN', 'By hand'];
  if (active.state === 'problem') return ['failing', 'Schedule fails'];
  if (slotMs === undefined) return ['PENDING', 'Not due yet'];
  const isLate = (lastMs ?? 0) < slotMs && nowMs > slotMs + GRACE_MS;
  if (isLate) return ['failing', 'Late'];
  return lastMs === undefined ? ['PENDING', 'Not due yet'] : ['COMPLETE', 'On schedule'];
}
