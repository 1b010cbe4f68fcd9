import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backupGoalOf, backupHealth } from '@/lib/kudo/schedules/backup-health';
import type { InstanceRow } from './instance-row';
import type { InstanceState } from './instance-state';
import { needsAttention } from './overview-lists';

type Judged = Pick<InstanceRow, 'instance' | 'operatorVersionObject'>;

/** True when the Instance, or its OperatorVersion, says how old the last good backup may be. */
export function hasBackupGoal({ instance, operatorVersionObject }: Judged): boolean {
  return backupGoalOf(instance, operatorVersionObject) !== undefined;
}

/**
 * The rows, those that missed the goal of their backups with that state, or with that reason beside their own one when they need attention
 * already. Other rows are the same objects as before.
 *
 * @param runs all PlanRuns of these Instances
 */
export function withBackupGoals(
  rows: readonly InstanceRow[],
  runs: readonly PlanRun[],
  nowMs: number,
): readonly InstanceRow[] {
  const judged = rows.filter((row) => hasBackupGoal(row) && row.instance.metadata.deletionTimestamp === undefined);
  if (judged.length === 0) return rows;
  const runsByUid = new Map<string, PlanRun[]>(judged.map(({ instance }) => [instance.metadata.uid ?? '', []]));
  for (const run of runs) runsByUid.get(run.spec?.instanceUid ?? '')?.push(run);
  const stateByKey = new Map<string, InstanceState>();
  for (const row of judged) {
    const missed = missedGoal(row, runsByUid.get(row.instance.metadata.uid ?? '') ?? [], nowMs);
    if (missed !== undefined) stateByKey.set(row.key, missedState(row.state, missed));
  }
  return rows.map((row) => {
    const state = stateByKey.get(row.key);
    return state === undefined ? row : { ...row, state };
  });
}

/** The sentence of a goal that is missed; undefined for one that is met. */
function missedGoal(
  { instance, operatorVersionObject }: Judged,
  runs: readonly PlanRun[],
  nowMs: number,
): string | undefined {
  const goalMs = backupGoalOf(instance, operatorVersionObject);
  if (goalMs === undefined) return undefined;
  const { creationTimestamp } = instance.metadata;
  const health = backupHealth({ runs, goalMs, instanceCreatedAt: creationTimestamp, nowMs });
  return health.isMissed ? health.message : undefined;
}

function missedState(state: InstanceState, message: string): InstanceState {
  if (!needsAttention({ state })) {
    return { key: 'failing', word: 'Backup overdue', reason: message, detail: message, tab: 'backups' };
  }
  const reason = state.reason === '' ? message : `${state.reason} · ${message}`;
  return { ...state, reason, detail: state.detail === '' ? message : `${state.detail}\n${message}` };
}
