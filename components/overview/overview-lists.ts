import type { PlanView } from '@/components/instances/active-plan';
import { planView } from '@/components/instances/active-plan';
import type { InstanceRow } from '@/components/instances/instance-row';
import type { StatusKey } from '@/components/ui/status-words';

const ATTENTION: readonly StatusKey[] = ['FATAL_ERROR', 'ERROR', 'waiting', 'unhealthy'];

/**
 * True when a person should look: a plan failed, retries or is held up by a pod, or the Instance is not ready while nothing
 * runs.
 */
export function needsAttention(row: Pick<InstanceRow, 'state'>): boolean {
  return ATTENTION.includes(row.state.key);
}

/** What failed before what waits, each by name. */
export function worstFirst(a: Pick<InstanceRow, 'state' | 'key'>, b: Pick<InstanceRow, 'state' | 'key'>): number {
  return ATTENTION.indexOf(a.state.key) - ATTENTION.indexOf(b.state.key) || a.key.localeCompare(b.key);
}

export interface RecentPlan {
  readonly row: InstanceRow;
  readonly plan: PlanView;
  /** RFC 3339. */
  readonly endedAt: string;
}

/** Plans that ended, newest first, at most `limit`. */
export function recentPlans(rows: readonly InstanceRow[], limit = 12): RecentPlan[] {
  return rows
    .flatMap((row) =>
      Object.entries(row.instance.status?.planStatus ?? {}).flatMap(([name, status]) => {
        const ended = status.status === 'COMPLETE' || status.status === 'FATAL_ERROR';
        const endedAt = status.lastUpdatedTimestamp ?? undefined;
        if (!ended || endedAt === undefined) return [];
        return [{ row, name, status, endedAt }];
      }),
    )
    .sort((a, b) => b.endedAt.localeCompare(a.endedAt) || a.row.key.localeCompare(b.row.key))
    .slice(0, limit)
    .map(({ row, name, status, endedAt }) => ({
      row,
      plan: planView(name, status, row.operatorVersionObject),
      endedAt,
    }));
}
