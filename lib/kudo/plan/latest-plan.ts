import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';

/**
 * The plan that ran last, with its name: the plan in the controller's record, else (KUDO's own Instances) the plan that was updated
 * last; timestamps have whole seconds only. Undefined when no plan ever ran.
 */
export function latestPlan(instance: Instance): { readonly name: string; readonly status: PlanStatus } | undefined {
  const statuses = instance.status?.planStatus ?? {};
  const seen = actedUpon(instance);
  const recorded = seen?.plan === undefined ? undefined : statuses[seen.plan];
  if (seen?.plan !== undefined && recorded !== undefined && recorded.uid === seen.uid) {
    return { name: seen.plan, status: recorded };
  }
  const [latest] = Object.entries(statuses)
    .filter(([, { status }]) => status !== undefined && status !== 'NEVER_RUN')
    .sort(([, a], [, b]) => (b.lastUpdatedTimestamp ?? '').localeCompare(a.lastUpdatedTimestamp ?? ''));
  return latest === undefined ? undefined : { name: latest[0], status: latest[1] };
}
