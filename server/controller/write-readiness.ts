import { formatTime } from '@/lib/clock/clock';
import { type ExtraCondition, withExtraCondition } from '@/lib/kudo/plan/conditions';
import { type ReadyVerdict, withReadiness } from '@/lib/kudo/plan/readiness';
import type { Instance } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Writes the Ready condition, and `Stalled` (an idle Instance has none), when something differs, and removes `ChangePending`: no plan
 * runs that an edit could wait for. True when `Ready` changed.
 */
export async function writeReadiness(
  deps: ReconcilerDeps,
  instance: Instance,
  readiness: ReadyVerdict,
  stalled?: ExtraCondition,
): Promise<boolean> {
  const before = instance.status?.conditions;
  const now = formatTime(deps.clock.now());
  const ready = withReadiness(before, readiness, now);
  const settled = withExtraCondition(
    withExtraCondition(ready, 'Stalled', stalled, now),
    'ChangePending',
    undefined,
    now,
  );
  if (settled === before) return false;
  const conditions = [...(settled ?? [])];
  await deps.store.writeStatus({ ...instance, status: { ...instance.status, conditions } });
  return ready !== before;
}
