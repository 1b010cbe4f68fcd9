import { PLAN_SCHEDULE_API_VERSION, PLAN_SCHEDULES, type PlanScheduleSpec } from '@/lib/kudo/schedules/plan-schedule';
import { codeOf, isNamespaceTerminating } from '@/server/kube/errors';
import type { ScheduleAction } from './scenario';
import { INSTANCE } from './script-objects';
import type { Simulation } from './simulation';

/** After the suspension nothing may start; I16 forgives what a controller had begun. */
const AFTERWARDS_MS = 5 * 60_000;

/** Users make a schedule of each minute, let slots pass, and suspend it. Another action may have made it: then they resume it. */
export async function followSchedule(
  { people, scheduler }: Simulation,
  namespace: string,
  { plan, forMs, waits, hasBlackout }: ScheduleAction,
): Promise<void> {
  const spec: PlanScheduleSpec = {
    instanceName: INSTANCE,
    plan,
    schedule: '* * * * *',
    concurrencyPolicy: waits ? 'Wait' : 'Forbid',
    ...(hasBlackout ? { blackouts: [{ start: '*/5 * * * *', durationMinutes: 2 }] } : {}),
  };
  const metadata = { name: plan, namespace };
  const target = { ...PLAN_SCHEDULES, namespace, name: plan };
  const suspend = (isSuspended: boolean) => people.patch(target, 'merge', { spec: { suspend: isSuspended } });
  try {
    await people.create(
      { ...PLAN_SCHEDULES, namespace },
      { apiVersion: PLAN_SCHEDULE_API_VERSION, kind: 'PlanSchedule', metadata, spec },
    );
  } catch (error) {
    if (isNamespaceTerminating(error)) return;
    if (codeOf(error) !== 409) throw error;
    await suspend(false);
  }
  await scheduler.pass(forMs);
  await suspend(true);
  await scheduler.pass(AFTERWARDS_MS);
}
