import { formatTime } from '@/lib/clock/clock';
import { healthEvent, withHealth } from '@/lib/kudo/health-checks/results';
import type { Instance } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Writes the results of the health checks that are due: into `status.healthChecks`, and together as the condition `Healthy`. An event
 * says when the verdict changes.
 *
 * @returns the Instance as it is stored then
 */
export async function writeHealth(deps: ReconcilerDeps, instance: Instance): Promise<Instance> {
  const statuses = deps.health.due(instance);
  if (statuses === undefined) return instance;
  const { healthChecks: before = [], conditions: known, ...status } = instance.status ?? {};
  const conditions = withHealth(known, statuses, formatTime(deps.clock.now()));
  const stored = await deps.store.writeStatus({
    ...instance,
    status: {
      ...status,
      ...(conditions === undefined ? {} : { conditions: [...conditions] }),
      ...(statuses.length === 0 ? {} : { healthChecks: [...statuses] }),
    },
  });
  deps.health.written(stored, statuses);
  const event = healthEvent(before, statuses);
  if (event !== undefined) deps.events.record(stored, event.type, event.reason, event.message);
  return stored;
}
