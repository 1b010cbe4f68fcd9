import type { InstanceRow } from './instance-row';
import type { PlanView } from './plan-view';
import { planView } from './plan-view';
import type { StatusKey } from './status-words';

const ATTENTION: readonly StatusKey[] = [
  'FATAL_ERROR',
  'failing',
  'ERROR',
  'waiting',
  'unhealthy',
  'unknown',
  'drifted',
];

/**
 * True when the Instance needs a person: a plan failed, is retried or waits for a pod that cannot start, the Instance is not
 * ready, a health check does not pass, or its objects were changed outside of plans.
 */
export function needsAttention(row: Pick<InstanceRow, 'state'>): boolean {
  return ATTENTION.includes(row.state.key);
}

/** What failed before what waits, each by name. */
export function worstFirst(a: Pick<InstanceRow, 'state' | 'key'>, b: Pick<InstanceRow, 'state' | 'key'>): number {
  return ATTENTION.indexOf(a.state.key) - ATTENTION.indexOf(b.state.key) || a.key.localeCompare(b.key);
}

/** What is known of drift: still asked for, asked for, or not asked for (too many Instances, or the question failed). */
export type DriftKnowledge = 'checking' | 'checked' | 'unknown';

/** The sentence for a list of Instances of which none needs attention. */
export function calmText(rows: readonly Pick<InstanceRow, 'state'>[], drift: DriftKnowledge): string {
  if (drift === 'checking') return 'No plan failed. Comparing the objects with what plans applied…';
  if (drift === 'unknown') return 'No plan failed. Drift is not checked here; open an instance to see it.';
  const healthy = rows.filter(({ state }) => state.key === 'healthy').length;
  if (healthy < rows.length) {
    return `No instance needs attention: ${healthy} healthy, ${rows.length - healthy} running.`;
  }
  return rows.length === 1 ? '1 instance is healthy.' : `All ${rows.length} instances are healthy.`;
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
