import { parseTime } from '@/lib/clock/clock';
import type { Scheduled } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { ReconcilerDeps } from './reconciler-deps';

/** Counts a run that ended. Called once for each, by the controller that ran its last task. */
export function measureEnd(
  { metrics, planRuns, clock }: ReconcilerDeps,
  instance: Instance,
  { plan, uid }: Scheduled,
  { status, memory }: { readonly status: string; readonly memory: StoredRunMemory },
): void {
  if (metrics === undefined) return;
  const operator = memory.operatorVersion.spec?.operator?.name ?? '';
  const beganMs = parseTime(planRuns.find(instance, uid)?.metadata.creationTimestamp);
  const tookMs = beganMs === undefined ? undefined : Math.max(0, clock.now() - beganMs);
  metrics.planEnded({ plan, operator, result: status, tookMs });
}
